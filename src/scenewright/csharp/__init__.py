"""C# as syntax: what a file declares, for the engines whose scripts are written in it. Knows no engine."""
