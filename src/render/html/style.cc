#include "render/html/style.h"

namespace ridge::render {

namespace {

// Colours of the verdicts are told apart by lightness too, and every one is also written out in words.
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--ink:#1d232b;--soft:#5b6673;--line:#dfe3e8;--grid:#e8ebef;
--roof:#39424e;--accent:#1f5fbf;--memory:#1f6fd1;--compute:#1d8a4e;--latency:#b06a00;--overhead:#8a4bb8;--unknown:#737d89;
--bad:#b3261e;--track:#e6e9ed}
@media (prefers-color-scheme:dark){:root{--bg:#13171c;--card:#1a2027;--ink:#e4e8ed;--soft:#9aa6b3;--line:#2c343e;--grid:#262d36;
--roof:#c2cad4;--accent:#7db2ff;--memory:#6aaeff;--compute:#5ccb8b;--latency:#f0b04f;--overhead:#cf9bf5;--unknown:#98a2ae;
--bad:#ff8a80;--track:#2b333d}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",
"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1120px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:24px;line-height:1.25;margin:0 0 10px;letter-spacing:-.01em}
h2{font-size:18px;line-height:1.3;margin:38px 0 12px;letter-spacing:-.005em}
h3{font-size:15px;margin:0;display:inline;overflow-wrap:anywhere}
p{margin:0 0 10px;max-width:78ch}
h1,h2,p,li{overflow-wrap:anywhere}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
code,.name,.full{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.92em}
.soft,.full{color:var(--soft)}.full{overflow-wrap:anywhere}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0 0 6px}
dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere}
.headline{font-weight:600;margin-top:12px}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 20px}
.summary{margin-top:20px}.summary .verdict{font-size:17px;font-weight:600;margin-bottom:4px}
.summary h2{font-size:14px;margin:14px 0 4px;color:var(--soft);font-weight:600}
ol.top{margin:0;padding-left:22px}ol.top li{padding:2px 0}
.saving{font-variant-numeric:tabular-nums;white-space:nowrap;font-weight:600}
.scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}
figure{margin:0}svg{display:block;width:100%;min-width:700px;height:auto}
.scroll svg{margin:0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}
th,td{padding:7px 9px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;white-space:nowrap;border-bottom-color:var(--soft)}
tbody th{font-weight:400}
.num{text-align:right;white-space:nowrap}
tbody tr:last-child td,tbody tr:last-child th{border-bottom:0}
.kernels .name{min-width:12em;overflow-wrap:anywhere}
caption{text-align:left;padding:0 9px 6px}
.note{margin:10px 2px 0}
.tag{white-space:nowrap;font-weight:600}
.tag::before{content:"";display:inline-block;width:9px;height:9px;border-radius:50%;background:currentColor;margin-right:6px}
.memory-bound{color:var(--memory)}.compute-bound{color:var(--compute)}.latency-bound{color:var(--latency)}
.overhead-bound{color:var(--overhead)}.unknown{color:var(--unknown)}
.bar{display:block;height:4px;border-radius:2px;background:var(--track);margin-top:4px;min-width:64px;overflow:hidden}
.bar i{display:block;height:100%;background:var(--accent)}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:10px 0;padding:0 20px}
summary{padding:12px 0;cursor:pointer}summary .tag{margin-left:10px}
summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
details[open]{padding-bottom:16px}
.finding{border-left:3px solid var(--line);padding:2px 0 2px 12px;margin:12px 0}
.finding.warning{border-color:var(--bad)}.finding.notice{border-color:var(--latency)}
.finding p{margin:2px 0 0}.finding b{font-weight:600}
.issue{border-left:3px solid var(--line);padding:2px 0 2px 12px;margin:10px 0}
.issue.error,.issue.data-loss{border-color:var(--bad)}.issue p{margin:0}
.details-table{margin:12px 0 4px}
h4{font-size:13px;color:var(--soft);font-weight:600;margin:14px 0 4px}
footer{margin-top:44px;color:var(--soft);font-size:13px}
svg text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif;fill:var(--ink)}
svg .soft{fill:var(--soft)}svg .tick{fill:var(--soft);font-size:12px}
svg .grid{stroke:var(--grid)}svg .axis{stroke:var(--soft)}
svg .roof{stroke:var(--roof);stroke-width:2;fill:none}svg .l2{stroke-dasharray:7 5;stroke-width:1.5}
svg .l1{stroke-dasharray:2 4;stroke-width:1.5}
svg .leader{stroke:var(--soft);fill:none}svg text.roofname{font-size:12.5px}
svg .ridge{fill:var(--roof)}svg .guide{stroke:var(--soft);stroke-dasharray:2 4}
svg .point{fill:currentColor;stroke:var(--card);stroke-width:1.5}
svg .level{fill:var(--card);stroke:currentColor;stroke-width:1.5}svg .link{stroke:currentColor;stroke-opacity:.35}
svg .letter{font-weight:700;fill:currentColor;paint-order:stroke;stroke:var(--card);stroke-width:3px}
svg .halo{paint-order:stroke;stroke:var(--card);stroke-width:4px}
@media (max-width:900px){main{padding:24px 10px 50px}table{font-size:12.5px}th,td{padding:5px 4px}thead th{white-space:normal}
.kernels .name{min-width:8em}.bar{min-width:36px}.card.scroll{padding:8px}}
@media (max-width:600px){main{padding:20px 14px 40px}.card,details{padding-left:14px;padding-right:14px}
dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:6px}th,td{padding:6px 8px}}
@media print{body{background:#fff}details,.card{break-inside:avoid}main{max-width:none;padding:0}figure svg{min-width:0}}
)css";

}  // namespace

std::string_view html_style() {
  return kStyle;
}

}  // namespace ridge::render
