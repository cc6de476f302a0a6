def gate(x_ref, scale_ref, bias_ref, y_ref):
    y_ref[...] = x_ref[...] * scale_ref[...] + bias_ref[...]
