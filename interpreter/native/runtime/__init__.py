"""From text to a running evaluator: compiling, bringing positions there and back."""
