"""What event files hold: summaries, and the messages of sessions."""

from __future__ import annotations

from typing import Final

SCHEMA: Final = """
message SummaryMetadata {
  message PluginData { string plugin_name = 1; bytes content = 2; }
  PluginData plugin_data = 1; string display_name = 2; string summary_description = 3;
  int32 data_class = 4;
}
message HistogramProto {
  double min = 1; double max = 2; double num = 3; double sum = 4; double sum_squares = 5;
  repeated double bucket_limit = 6; repeated double bucket = 7;
}
message SummaryDescription { string type_hint = 1; }
message Summary {
  message Image { int32 height = 1; int32 width = 2; int32 colorspace = 3;
    bytes encoded_image_string = 4; }
  message Audio { float sample_rate = 1; int64 num_channels = 2; int64 length_frames = 3;
    bytes encoded_audio_string = 4; string content_type = 5; }
  message Value {
    string node_name = 7; string tag = 1; SummaryMetadata metadata = 9;
    oneof value {
      float simple_value = 2; bytes obsolete_old_style_histogram = 3; Image image = 4;
      HistogramProto histo = 5; Audio audio = 6; TensorProto tensor = 8;
    }
  }
  repeated Value value = 1;
}
message SourceMetadata { string writer = 1; }
message LogMessage {
  enum Level { UNKNOWN = 0; DEBUGGING = 10; INFO = 20; WARN = 30; ERROR = 40; FATAL = 50; }
  Level level = 1; string message = 2;
}
message SessionLog {
  enum SessionStatus { STATUS_UNSPECIFIED = 0; START = 1; STOP = 2; CHECKPOINT = 3; }
  SessionStatus status = 1; string checkpoint_path = 2; string msg = 3;
}
message TaggedRunMetadata { string tag = 1; bytes run_metadata = 2; }
message Event {
  double wall_time = 1; int64 step = 2;
  oneof what {
    string file_version = 3; bytes graph_def = 4; Summary summary = 5; LogMessage log_message = 6;
    SessionLog session_log = 7; TaggedRunMetadata tagged_run_metadata = 8; bytes meta_graph_def = 9;
  }
  SourceMetadata source_metadata = 10;
}
"""
