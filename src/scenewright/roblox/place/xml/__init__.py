"""The XML format of places and models (.rbxlx, .rbxmx)."""
