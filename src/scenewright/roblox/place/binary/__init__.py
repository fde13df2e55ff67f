"""The binary format of places and models (.rbxl, .rbxm)."""
