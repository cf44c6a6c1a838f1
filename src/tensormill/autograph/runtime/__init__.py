"""What converted code calls, under the name `ag__`: one function per Python construct."""
