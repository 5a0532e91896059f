"""Tests that the soak detects growth, and that the benchmark's statistics are correct."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("bench", "tools")]
from chat_profile import samples  # noqa: E402
from figures import bucket_quantile, growth, medians, quantile, slope  # noqa: E402
from shows import shows  # noqa: E402
from soak import ALLOWANCE, verdict  # noqa: E402


def samples_of(**growing):
    """An hour of samples, flat except for the given growth during that time, with an outlier."""
    flat = {name: 40_000 for name in ALLOWANCE} | {"wal": 4 << 20, "database": 1 << 20}
    hour = [{"seconds": 10.0 * n, **{name: value + growing.get(name, 0) * n / 360 for name, value in flat.items()}} for n in range(361)]
    hour[200]["pss"] += 500_000
    return hour


class Soaking(unittest.TestCase):
    def findings(self, entries):
        with contextlib.redirect_stdout(io.StringIO()):
            return verdict(entries, 600)

    @shows("control 23")
    def test_flat_use_is_flat_and_growth_is_found(self):
        self.assertEqual(self.findings(samples_of()), [])
        self.assertEqual(self.findings(samples_of(pss=1000)), [], "what an allocator keeps is allowed")
        for name, much in (("pss", 8000), ("anonymous", 8000), ("descriptors", 10), ("threads", 5)):
            found = self.findings(samples_of(**{name: much}))
            self.assertEqual([text.split()[0] for text in found], [name])
        large = samples_of()
        large[100]["wal"] = 1 << 30
        self.assertEqual(self.findings(large), ["the WAL is not kept small"])

    def test_figures(self):
        self.assertEqual((quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.99), quantile([], 0.5)), (2, 3, 0))
        self.assertEqual(medians([{"a": 1}, {"a": 9}, {"a": 2}]), {"a": 2})
        self.assertAlmostEqual(slope(range(9), [0, 2, 4, 6, 900, 10, 12, 14, 16]), 2)
        self.assertEqual(growth(range(6), [1, 1, 5, 5, 3, 3]), 2)
        self.assertAlmostEqual(bucket_quantile([1, 2, 4], [50, 40, 10, 0], 0.7), 1.5)
        self.assertAlmostEqual(bucket_quantile([1, 2, 4], [50, 40, 10, 0], 0.99), 3.8)
        self.assertEqual(bucket_quantile([1, 2, 4], [0, 0, 0, 3], 0.5), 4)

    def test_call_stacks_are_read(self):
        text = "loop-0 \n\t  16d92c __memcpy (inlined)\n\t 3e38b3 $s10ChatSQLite\n\nloop-1 \n\t 1 main\n\n"
        self.assertEqual(list(samples(text)), [["__memcpy", "$s10ChatSQLite"], ["main"]])
