def moe_res_matmul(xp, moe_res, coef, output):
    return moe_res * coef[0] + output * coef[1]
