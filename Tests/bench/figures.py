"""Small statistics over measurements."""

import statistics


def quantile(values, share):
    """The value that `share` of all values do not exceed; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0


def medians(runs):
    """Of several results with the same names, the median of each."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def slope(times, values):
    """The rate of growth by the Theil–Sen estimator: the median of the slopes between all pairs, which a few outliers
    do not affect."""
    points = list(zip(times, values))
    step = max(1, len(points) // 300)
    points = points[::step]
    slopes = [(v - u) / (t - s) for i, (s, u) in enumerate(points) for t, v in points[i + 1:] if t > s]
    return statistics.median(slopes) if slopes else 0.0


def growth(times, values):
    """The growth between the first and the last third, by their medians."""
    third = max(1, len(values) // 3)
    return statistics.median(values[-third:]) - statistics.median(values[:third])


def bucket_quantile(bounds, counts, share):
    """A quantile of a histogram, like Prometheus' histogram_quantile: linear between a bucket's bounds. `counts` has
    one bucket more than `bounds`; values above the last bound are reported as that bound."""
    wanted, seen, low = share * sum(counts), 0, 0.0
    for bound, count in zip(bounds, counts):
        if count and seen + count >= wanted:
            return low + (bound - low) * (wanted - seen) / count
        seen, low = seen + count, bound
    return bounds[-1]


def bar(value, limit, is_least=False, unit=""):
    """A figure with its bar."""
    met = value >= limit if is_least else value <= limit
    return f"{value:,.{0 if value >= 100 else 2}f}{unit} (bar {limit:,}{'' if met else ', missed'})"
