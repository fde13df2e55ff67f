"""What is kept on record: the audit log, the run log, and the databases and redaction behind them."""
