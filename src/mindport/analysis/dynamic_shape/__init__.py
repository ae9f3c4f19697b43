"""Which shapes change from step to step, why, what lies behind them, and what to do: abstract interpretation of the project."""
