"""One call: what it is, its arguments checked and mended, its limits, and the steps it goes through."""
