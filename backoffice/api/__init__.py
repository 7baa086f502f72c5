"""What every JSON endpoint has in common: how a request is admitted and read, and how an error is answered."""
