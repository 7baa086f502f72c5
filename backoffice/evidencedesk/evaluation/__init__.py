"""How good the answers are, as a number that can be compared: questions with known answers, and a baseline."""
