#include "report/html_style.h"

#include "report/plot.h"

namespace floydnet::report {
namespace {

constexpr const char* kLayout = R"(
  * { box-sizing: border-box; }
  body { margin: 0 auto; padding: 24px clamp(12px, 3vw, 40px) 48px; max-width: 1500px;
    background: var(--page); color: var(--ink);
    font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
  h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
  h2 { font-size: 19px; margin: 36px 0 12px; }
  h3 { font-size: 15px; margin: 20px 0 8px; overflow-wrap: anywhere; }
  p { margin: 6px 0; max-width: 75ch; }
  .pale, .at, small { color: var(--pale); font-size: 13px; }
  input[type=checkbox] { accent-color: var(--accent); width: 15px; height: 15px; margin: 0; }
  #by-time { vertical-align: -2px; margin-right: 6px; }
  #by-time + label { cursor: pointer; }
  .charts { display: grid; gap: 16px; margin: 12px 0;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
  .cards { display: grid; gap: 16px; margin: 12px 0;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr)); }
  .cards img { width: 100%; margin: 0; }
  .cards small { font-weight: 400; }
  .cards p { overflow-wrap: anywhere; margin: 0; }
  figure { margin: 0; padding: 12px 14px 10px; background: var(--card);
    border: 1px solid var(--edge); border-radius: 8px; min-width: 0; display: grid;
    grid-template-columns: 1fr auto auto; align-items: center; align-content: start;
    gap: 2px 6px; break-inside: avoid; }
  figcaption { font-weight: 600; overflow-wrap: anywhere; grid-column: 1; }
  figure label { font-size: 13px; color: var(--pale); cursor: pointer; }
  .views, .legend, .at { grid-column: 1 / -1; }
  .plot { display: block; width: 100%; height: auto; touch-action: pan-y; }
  .plot text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    fill: var(--ink); }
  .guide { stroke: var(--ink); stroke-width: 1; visibility: hidden; }
  .legend { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap;
    gap: 2px 18px; font-size: 13px; }
  .legend li { display: flex; align-items: center; gap: 6px; min-width: 0; }
  .key { flex: none; overflow: visible; vertical-align: middle; }
  .name { overflow-wrap: anywhere; }
  .value { font-variant-numeric: tabular-nums; white-space: nowrap; }
  .crowded .faint { stroke-opacity: 0.16; }
  .at { margin: 0; font-variant-numeric: tabular-nums; }
  .log-switch:checked ~ .views .linear, .log-switch:not(:checked) ~ .views .log,
  #by-time:checked ~ * .by-step, #by-time:not(:checked) ~ * .by-time { display: none; }
  .scroll { overflow-x: auto; margin: 0 0 14px; border: 1px solid var(--edge);
    border-radius: 8px; background: var(--card); width: fit-content; max-width: 100%; }
  table { border-collapse: collapse; font-size: 14px; }
  caption { text-align: left; font-weight: 600; padding: 8px 12px 4px; }
  th, td { padding: 6px 12px; text-align: left; vertical-align: top; white-space: nowrap; }
  thead th { border-bottom: 1px solid var(--edge); font-size: 13px; color: var(--pale);
    font-weight: 600; vertical-align: bottom; white-space: normal;
    overflow-wrap: break-word; max-width: 16em; }
  tbody th { font-weight: 600; }
  tr > :first-child { position: sticky; left: 0; background: var(--card); }
  tbody th:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 10em; }
  tbody tr + tr > * { border-top: 1px solid var(--edge); }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
  td small, th small { display: block; white-space: nowrap; font-weight: 400; }
  details { margin: 6px 0; }
  summary { cursor: pointer; overflow-wrap: anywhere; }
  pre { overflow-x: auto; background: var(--card); border: 1px solid var(--edge);
    border-radius: 8px; padding: 10px 14px; font: 13px/1.4 ui-monospace, monospace; }
  li { overflow-wrap: anywhere; }
  img { display: block; max-width: 100%; height: auto; margin: 0 0 14px; }
  a { color: var(--accent); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
)";

constexpr const char* kLight =
    "  :root { --page: #f6f7f9; --card: #fff; --ink: #1d2026; --pale: #5b616b; --edge: #dcdfe4;\n"
    "    --accent: #2f5fd0; }\n";
constexpr const char* kDark =
    "  :root { --page: #0e1013; --card: #16181c; --ink: #e6e8eb; --pale: #a3a9b3;\n"
    "    --edge: #30343b; --accent: #86aefc; }\n";
constexpr const char* kPrint =
    "    body { padding: 0; max-width: none; background: #fff; }\n"
    "    .charts, .cards { grid-template-columns: 1fr 1fr; }\n"
    "    #by-time, #by-time + label, .log-switch, .log-switch + label, .at { display: none; }\n"
    "    .scroll, pre { overflow: visible; break-inside: avoid; }\n"
    "    tr > :first-child { position: static; }\n"
    "    h2, h3 { break-after: avoid; } tr { break-inside: avoid; }\n";

}  // namespace

std::string page_css() {
  const std::string light = kLight + plot_colours_css(false);
  return "  :root { color-scheme: light dark; }\n" + light +
         "  @media (prefers-color-scheme: dark) {\n" + kDark + plot_colours_css(true) + "  }\n" +
         plot_css() + kLayout + "  @media print {\n" + light + kPrint + "  }\n";
}

const char* const kPageScript = R"('use strict';
// The place in a sorted list that is nearest to x; -1 if x lies outside.
function nearest(list, x, room) {
  if (!list.length || !(x >= list[0] - room && x <= list[list.length - 1] + room)) return -1;
  let low = 0, high = list.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle; else high = middle;
  }
  return x - list[low] < list[high] - x ? low : high;
}
function text(value) {
  const short = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
  return String(short);
}
function watch(figure) {
  const lines = JSON.parse(figure.querySelector('script').textContent);
  const shown = [...figure.querySelectorAll('.value'), figure.querySelector('.at')];
  const rest = shown.map(element => element.textContent);
  for (const view of figure.querySelectorAll('.view')) {
    const plot = view.querySelector('.plot'), guide = plot.querySelector('.guide');
    const {left, right, xLow, xHigh} = plot.dataset;
    const leave = () => {
      guide.style.visibility = 'hidden';
      shown.forEach((element, i) => { element.textContent = rest[i]; });
    };
    plot.addEventListener('pointerleave', leave);
    plot.addEventListener('pointermove', event => {
      const box = plot.getBoundingClientRect();
      const place = (event.clientX - box.left) / box.width * plot.viewBox.baseVal.width;
      const share = (place - left) / (right - left);
      if (share < 0 || share > 1) return leave();
      const x = Number(xLow) + share * (xHigh - xLow), unit = view.dataset.unit;
      guide.style.visibility = 'visible';
      guide.setAttribute('x1', place);
      guide.setAttribute('x2', place);
      lines.forEach((line, i) => {
        const at = nearest(line[view.dataset.x], x * unit, (xHigh - xLow) * unit / 100);
        shown[i].textContent = at < 0 || line.value[at] === null ? '–' : text(line.value[at]);
      });
      shown[lines.length].textContent = 'at ' + (view.dataset.x === 'step' ?
        'step ' + Math.max(0, Math.round(x)) : text(Math.max(0, x)) + ' ' + view.dataset.name);
    });
  }
}
document.querySelectorAll('.chart').forEach(watch);
)";

}  // namespace floydnet::report
