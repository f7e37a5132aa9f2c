"""Answers questions about statistics with SciPy and gbstats: a JSON list on standard input, a list on standard output.

A question names one of the functions below in "ask"; its other members are the arguments.
"""

import json
import math
import sys

from gbstats.frequentist.tests import (
    FrequentistConfig,
    SequentialConfig,
    SequentialTwoSidedTTest,
    TwoSidedTTest,
)
from gbstats.models.statistics import (
    ProportionStatistic,
    RatioStatistic,
    RegressionAdjustedStatistic,
    SampleMeanStatistic,
    compute_theta,
)
from gbstats.utils import check_srm
from scipy import optimize, special, stats


def normal_cdf(z):
    return stats.norm.cdf(z)


def normal_quantile(probability):
    return stats.norm.ppf(probability)


def student_tail(t, degreesOfFreedom):
    return 2 * stats.t.sf(abs(t), degreesOfFreedom)


def student_quantile(probability, degreesOfFreedom):
    return stats.t.isf(probability / 2, degreesOfFreedom)


def chi_squared_tail(x, degreesOfFreedom):
    return stats.chi2.sf(x, degreesOfFreedom)


def log_gamma(x):
    return special.gammaln(x)


def fixed_split(counts, shares):
    return check_srm(counts, shares)


def sequential_split(counts, shares, priorUsers):
    """The probability of the counts under the planned shares, over that under the Dirichlet prior around them."""
    total = sum(counts)
    expected = [share / sum(shares) for share in shares]
    planned = stats.multinomial.logpmf(counts, total, expected)
    mixed = stats.dirichlet_multinomial.logpmf(counts, [share * priorUsers for share in expected], total)
    return min(1.0, math.exp(planned - mixed))


def holm(pValues, alpha):
    """Whether each is decided."""
    order = sorted(range(len(pValues)), key=lambda at: pValues[at])
    decided = [False] * len(pValues)
    for rank, at in enumerate(order):
        if pValues[at] > alpha / (len(pValues) - rank):
            break
        decided[at] = True
    return decided


def benjamini_hochberg(pValues, alpha):
    """Whether each is decided."""
    return [bool(adjusted <= alpha) for adjusted in stats.false_discovery_control(pValues, method="bh")]


def statistic_of(sums, kind):
    if kind == "conversion":
        return ProportionStatistic(n=sums["n"], sum=sums["sumX"])
    above = SampleMeanStatistic(n=sums["n"], sum=sums["sumX"], sum_squares=sums["sumXX"])
    if kind != "ratio":
        return above
    below = SampleMeanStatistic(n=sums["n"], sum=sums["sumY"], sum_squares=sums["sumYY"])
    return RatioStatistic(
        n=sums["n"], m_statistic=above, d_statistic=below, m_d_sum_of_products=sums["sumXY"]
    )


def adjusted(sums):
    return RegressionAdjustedStatistic(
        n=sums["n"],
        post_statistic=SampleMeanStatistic(n=sums["n"], sum=sums["sumX"], sum_squares=sums["sumXX"]),
        pre_statistic=SampleMeanStatistic(
            n=sums["n"], sum=sums["pre"]["sumP"], sum_squares=sums["pre"]["sumPP"]
        ),
        post_pre_sum_of_products=sums["pre"]["sumXP"],
        theta=0,
    )


def compared(control, treatment, method, alpha, tuning):
    absolute = {"difference_type": "absolute", "alpha": alpha}
    relative = {"difference_type": "relative", "alpha": alpha}
    if method == "sequential":
        tests = [
            SequentialTwoSidedTTest(
                control, treatment, SequentialConfig(sequential_tuning_parameter=tuning, **each)
            )
            for each in (absolute, relative)
        ]
    else:
        tests = [
            TwoSidedTTest(control, treatment, FrequentistConfig(**each)) for each in (absolute, relative)
        ]
    result, asRatio = [test.compute_result() for test in tests]
    return {
        "effect": result.expected,
        "interval": [float(end) for end in result.ci],
        "pValue": float(result.p_value),
        "relativeEffect": asRatio.expected,
    }


def comparison(kind, control, treatment, method, alpha, tuning):
    return compared(
        statistic_of(control, kind), statistic_of(treatment, kind), method, alpha, tuning
    )


def cuped(control, treatment, method, alpha, tuning):
    """With one covariate, which is all that gbstats knows: every user has a history."""
    a, b = adjusted(control), adjusted(treatment)
    theta = compute_theta(a, b)
    a.theta = b.theta = theta
    return compared(a, b, method, alpha, tuning)


def two_covariates(users):
    """Least squares over the users themselves: [variant, x, p, h] each. The difference of the adjusted means."""
    import numpy

    rows = numpy.array(users, dtype=float)
    x, covariates = rows[:, 1], rows[:, 2:]
    centred = covariates - covariates.mean(axis=0)
    slopes = numpy.linalg.lstsq(centred, x - x.mean(), rcond=None)[0]
    residuals = x - centred @ slopes
    control, treatment = residuals[rows[:, 0] == 0], residuals[rows[:, 0] == 1]
    error = math.sqrt(control.var(ddof=1) / len(control) + treatment.var(ddof=1) / len(treatment))
    return {"effect": treatment.mean() - control.mean(), "error": error}


def fieller(control, treatment, alpha, tuning):
    """The ratios at which gbstats' sequential test of treatment against ratio x control has a p-value of alpha."""

    def excess(ratio):
        scaled = SampleMeanStatistic(
            n=control["n"], sum=control["sumX"] * ratio, sum_squares=control["sumXX"] * ratio * ratio
        )
        test = compared(scaled, statistic_of(treatment, "sum"), "sequential", alpha, tuning)
        low, high = test["interval"]
        return max(low, -high)

    best = (treatment["sumX"] / treatment["n"]) / (control["sumX"] / control["n"])
    low, high = best, best
    # In steps that do not meet 0, where gbstats has no test: it wants a control with a mean and a variance.
    while excess(low) < 0:
        low -= 0.6 * best
    while excess(high) < 0:
        high += 0.6 * best
    find = lambda a, b: optimize.brentq(excess, a, b, xtol=1e-14, rtol=1e-14) - 1
    return [find(low, best), find(best, high)]


def main():
    questions = json.load(sys.stdin)
    answers = []
    for question in questions:
        ask = question.pop("ask")
        answers.append(globals()[ask](**question))
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
