"""All checks, in the order they run: the quick first. A check has NAME, SUMMARY, QUICK and run(tree) -> findings."""

from checks import banned, data, docs, format, generated, headers, layers, presets, scripts, sizes, tidy, words

CHECKS = [
    layers,
    sizes,
    banned,
    words,
    docs,
    data,
    format,
    scripts,
    headers,
    generated,
    tidy,
    *presets.CHECKS,
]
