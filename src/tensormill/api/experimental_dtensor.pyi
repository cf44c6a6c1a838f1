# Written by `make stubs` from the table beside it.

"""`tf.experimental.dtensor`: tensors that are laid out over meshes of devices."""

from ..dtensor.checkpoints import DTensorCheckpoint as DTensorCheckpoint
from ..dtensor.datasets import DTensorDataset as DTensorDataset
from ..dtensor.variables import DVariable as DVariable
from ..dtensor.layout import Layout as Layout
from ..dtensor.layout import MATCH as MATCH
from ..dtensor.mesh import Mesh as Mesh
from ..dtensor.layout import UNSHARDED as UNSHARDED
from ..dtensor.meshes import barrier as barrier
from ..dtensor.calls import call_with_layout as call_with_layout
from ..dtensor.calls import check_layout as check_layout
from ..dtensor.accelerators import client_id as client_id
from ..dtensor.calls import copy_to_mesh as copy_to_mesh
from ..dtensor.meshes import create_distributed_mesh as create_distributed_mesh
from ..dtensor.meshes import create_mesh as create_mesh
from ..dtensor.accelerators import create_tpu_mesh as create_tpu_mesh
from ..dtensor.calls import default_mesh as default_mesh
from ..dtensor.calls import device_name as device_name
from ..dtensor.variables import enable_save_as_bf16 as enable_save_as_bf16
from ..dtensor.calls import fetch_layout as fetch_layout
from ..dtensor.accelerators import full_job_name as full_job_name
from ..dtensor.calls import get_default_mesh as get_default_mesh
from ..dtensor.accelerators import heartbeat_enabled as heartbeat_enabled
from ..dtensor.accelerators import initialize_accelerator_system as initialize_accelerator_system
from ..dtensor.accelerators import initialize_multi_client as initialize_multi_client
from ..dtensor.accelerators import initialize_tpu_system as initialize_tpu_system
from ..dtensor.calls import is_dtensor as is_dtensor
from ..dtensor.accelerators import job_name as job_name
from ..dtensor.accelerators import jobs as jobs
from ..dtensor.accelerators import local_devices as local_devices
from ..dtensor.checkpoints import name_based_restore as name_based_restore
from ..dtensor.checkpoints import name_based_save as name_based_save
from ..dtensor.accelerators import num_clients as num_clients
from ..dtensor.accelerators import num_global_devices as num_global_devices
from ..dtensor.accelerators import num_local_devices as num_local_devices
from ..dtensor.calls import pack as pack
from ..dtensor.accelerators import preferred_device_type as preferred_device_type
from ..dtensor.calls import relayout as relayout
from ..dtensor.calls import relayout_like as relayout_like
from ..dtensor.calls import run_on as run_on
from ..dtensor.checkpoints import sharded_save as sharded_save
from ..dtensor.accelerators import shutdown_accelerator_system as shutdown_accelerator_system
from ..dtensor.accelerators import shutdown_tpu_system as shutdown_tpu_system
from ..dtensor.calls import unpack as unpack

__all__ = ['DTensorCheckpoint', 'DTensorDataset', 'DVariable', 'Layout', 'MATCH', 'Mesh', 'UNSHARDED', 'barrier', 'call_with_layout', 'check_layout', 'client_id', 'copy_to_mesh', 'create_distributed_mesh', 'create_mesh', 'create_tpu_mesh', 'default_mesh', 'device_name', 'enable_save_as_bf16', 'fetch_layout', 'full_job_name', 'get_default_mesh', 'heartbeat_enabled', 'initialize_accelerator_system', 'initialize_multi_client', 'initialize_tpu_system', 'is_dtensor', 'job_name', 'jobs', 'local_devices', 'name_based_restore', 'name_based_save', 'num_clients', 'num_global_devices', 'num_local_devices', 'pack', 'preferred_device_type', 'relayout', 'relayout_like', 'run_on', 'sharded_save', 'shutdown_accelerator_system', 'shutdown_tpu_system', 'unpack']
