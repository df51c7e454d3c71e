// The timeline of the frame shown, on a canvas: the wheel zooms, a drag pans, a click leads to the row of a scope.
const lanesBox = find('lanes'), canvas = lanesBox.querySelector('canvas'), paper = canvas.getContext('2d');
const levelHeight = 18, bandGap = 8, axisHeight = 20, mostHeight = 430, nameHeight = 16;
let timeline = null;          // {frame, length, lanes, bands} of the frame shown
let sight = {from: 0, to: 1}; // ms from the beginning of the frame
let litScope = null, wordWidth = new Map();

// takeTimeline shows the timeline of a frame, or says why there is none.
function takeTimeline(frame) {
  find('timeline').hidden = timelineData.size === 0;
  const t = frame && timelineData.get(frame.index);
  timeline = t && t.lanes.length > 0 ? {frame, length: Math.max(frame.length, 1e-6), lanes: t.lanes.map(readLane)} : null;
  find('timed').textContent = frame ? 'Timeline of frame ' + frame.index : 'Timeline';
  find('missing').textContent = !frame ? 'Choose a frame in the history to see what ran when.' : t ? missingOf(t) : 'The events of this frame were not kept.';
  lanesBox.hidden = !timeline;
  document.querySelector('.zoom').hidden = !timeline;
  lanesBox.scrollTop = 0;
  if (timeline) layBands();
  showWhole();
}

// missingOf says what the timeline of a frame does not have.
function missingOf(t) {
  const lanes = n => grouped(n) + (n === 1 ? ' goroutine' : ' goroutines'), parts = [];
  if (t.left) parts.push(`${grouped(t.left)} scopes of this frame were too many to keep`);
  if (t.quiet) parts.push(lanes(t.quiet) + ' entered no zone');
  if (t.gone) parts.push('the events of ' + lanes(t.gone) + ' were overwritten');
  if (t.off) parts.push(lanes(t.off) + (t.off === 1 ? ' keeps' : ' keep') + ' no events');
  return parts.join(', ');
}

const gutter = () => canvas.clientWidth < 640 ? 0 : 168;
const xOf = ms => gutter() + (ms - sight.from) / (sight.to - sight.from) * (canvas.clientWidth - gutter());
const msOf = x => sight.from + (x - gutter()) / (canvas.clientWidth - gutter()) * (sight.to - sight.from);

// layBands places the bands from top to bottom.
function layBands() {
  timeline.bands = bandsOf(timeline.lanes);
  let y = axisHeight;
  for (const b of timeline.bands) {
    b.y = y;
    b.top = y + (gutter() ? 0 : nameHeight);
    y = b.top + b.levels * levelHeight + bandGap;
  }
  timeline.height = y;
  canvas.style.height = Math.min(y, mostHeight) + 'px';
  find('depth').style.height = Math.max(0, y - mostHeight) + 'px';
}

// lookAt shows a stretch of the frame, no more than all of it and no less than 100 ns.
function lookAt(from, to) {
  const length = timeline.length, wide = Math.min(length, Math.max(to - from, 1e-4));
  from = Math.max(0, Math.min(length - wide, from + (to - from - wide) / 2));
  sight = {from, to: from + wide};
  drawTimeline();
}

function showWhole() {
  if (timeline) lookAt(0, timeline.length); else find('sight').textContent = '';
}

const zoomAround = (ms, factor) => lookAt(ms - (ms - sight.from) * factor, ms + (sight.to - ms) * factor);
const pan = ms => lookAt(...ms < 0 ? [Math.max(0, sight.from + ms), Math.max(0, sight.from + ms) + sight.to - sight.from] : [sight.from + ms, sight.to + ms]);
// toldDecimals are the decimals of milliseconds that the clock can tell.
const toldDecimals = () => data.tps > 0 ? Math.max(0, Math.floor(Math.log10(data.tps / 1000) + 1e-9)) : 5;
const timeDecimals = () => Math.min(sight.to - sight.from < 0.01 * timeline.length ? 5 : 3, toldDecimals());

function drawTimeline() {
  if (!timeline || lanesBox.hidden) return;
  const width = canvas.clientWidth, height = canvas.clientHeight, scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  paper.setTransform(scale, 0, 0, scale, 0, 0);
  const style = getComputedStyle(document.body), color = name => style.getPropertyValue('--' + name).trim();
  const d = {width, height, down: lanesBox.scrollTop, text: color('text'), quiet: color('quiet'), line: color('line'), faint: color('faint'),
    frame: color('frame'), ink: color('ink'), panel: color('panel'), accent: color('accent'), good: color('good')};
  paper.font = '11.5px ' + style.fontFamily;
  paper.textBaseline = 'middle';
  find('sight').textContent = `${sight.from.toFixed(timeDecimals())} to ${sight.to.toFixed(timeDecimals())} ms of the frame`;
  for (const b of timeline.bands) if (b.y - d.down < height && b.top + b.levels * levelHeight - d.down > 0) drawBand(d, b);
  drawAxis(d);
}

// axisUnit returns the unit of the times on the axis, and how many ms it has. What is in sight of a long frame may be short.
function axisUnit(span) {
  const [, unit, per] = inTimeUnit(Math.max(-sight.from, sight.to));
  return span >= 0.02 * per ? [unit, per] : ['ms', 1];
}

// drawAxis draws the times at the top, lines below them, the budget, and marks of the program.
function drawAxis(d) {
  paper.fillStyle = d.panel;
  paper.fillRect(0, 0, d.width, axisHeight - 2);
  const span = sight.to - sight.from, [unit, per] = axisUnit(span), step = niceStep(span / per / Math.max(2, (d.width - gutter()) / 110)) * per;
  const digits = Math.max(0, -Math.floor(Math.log10(step / per) + 1e-9));
  for (let i = Math.ceil(sight.from / step); i * step <= sight.to; i++) {
    const x = Math.round(xOf(i * step)), word = (i * step / per).toFixed(digits) + ' ' + unit, wide = widthOf(word);
    paper.fillStyle = d.line;
    paper.fillRect(x, axisHeight - 6, 1, 4);
    paper.globalAlpha = 0.4;
    paper.fillRect(x, axisHeight - 2, 1, d.height);
    paper.globalAlpha = 1;
    paper.fillStyle = d.quiet;
    paper.fillText(word, Math.min(Math.max(x - wide / 2, gutter()), d.width - wide), 7);
  }
  if (data.budget > sight.from && data.budget < sight.to) drawLine(d, data.budget, d.good);
  for (const m of marks.get(timeline.frame.index) || []) if (m.at >= sight.from && m.at <= sight.to) drawLine(d, m.at, d.text, '\u2691 ' + m.text.slice(0, 60));
}

function drawLine(d, ms, color, word) {
  const x = Math.round(xOf(ms));
  paper.fillStyle = color;
  for (let y = axisHeight; y < d.height; y += 6) paper.fillRect(x, y, 1, 4);
  if (!word) return;
  const at = Math.min(x + 3, d.width - widthOf(word) - 3);
  paper.fillStyle = d.panel;
  paper.fillRect(at - 1, d.height - 15, widthOf(word) + 3, 15);
  paper.fillStyle = color;
  paper.fillText(word, at, d.height - 7);
}

function drawBand(d, b) {
  const y = b.y - d.down, top = b.top - d.down;
  paper.fillStyle = d.line;
  paper.fillRect(0, top + b.levels * levelHeight + bandGap / 2 - 1, d.width, 1);
  drawName(d, b, y);
  paper.save();
  paper.beginPath();
  paper.rect(gutter(), Math.max(axisHeight - 2, top), d.width - gutter(), b.levels * levelHeight);
  paper.clip();
  if (b.of && !b.open) drawBusy(d, b, top); else if (b.lane) b.lane.rows.forEach((row, level) => drawRow(d, row, top + level * levelHeight));
  if (b.lane && b.lane.from > sight.from) {
    paper.fillStyle = d.faint;
    paper.fillRect(gutter(), top, xOf(b.lane.from) - gutter(), b.levels * levelHeight - 2);
    paper.fillStyle = d.quiet;
    paper.fillText(shortened('overwritten', xOf(b.lane.from) - gutter() - 8), gutter() + 4, top + 8);
  }
  paper.restore();
}

// drawName draws the name of a band beside it, or above it where that leaves no room for scopes.
function drawName(d, b, y) {
  const many = b.of ? `${grouped(b.of.length)} goroutines` : '', fold = b.of ? (b.open ? '\u25be ' : '\u25b8 ') : b.inside ? '    ' : '';
  const room = (gutter() || d.width) - 10 - widthOf(fold), beside = gutter() && !b.open;
  paper.fillStyle = b.of ? d.text : d.quiet;
  paper.fillText(fold + tailOf(!many || beside ? b.name : `${b.name}  ${many}`, room), 2, y + 9);
  paper.fillStyle = d.quiet;
  if (many && beside) paper.fillText(many, 2 + widthOf(fold), y + 9 + levelHeight);
}

// drawRow draws the scopes of a level in sight. Those narrower than a pixel share one.
function drawRow(d, row, y) {
  let drawn = -1;
  for (let i = firstEnding(row, sight.from); i < row.length && row[i].begin < sight.to; i++) {
    const s = row[i], x = Math.max(xOf(s.begin), gutter() - 2), end = Math.min(xOf(s.end), d.width + 2);
    if (end - x < 1 && Math.floor(x) <= drawn) continue;
    drawn = Math.floor(end);
    drawScope(d, s, x, y, Math.max(end - x, 1));
  }
}

function drawScope(d, s, x, y, width) {
  const zone = zoneOf(s.zone), lit = s.zone === litZone;
  paper.fillStyle = zone.idle ? d.faint : '#' + zone.color;
  paper.fillRect(x, y, width > 3 ? width - 1 : width, levelHeight - 2);
  if (lit || s === litScope) {
    paper.strokeStyle = s === litScope ? d.text : d.accent;
    paper.lineWidth = 2;
    paper.strokeRect(x + 1, y + 1, Math.max(width - 3, 0), levelHeight - 4);
  }
  const left = Math.max(x, gutter()) + 4, room = Math.min(x + width, d.width) - left - 4;
  if (room < 18 || cutShort(zone.short, room)) return;
  const word = tailOf(zone.short.slice(-400), room), time = decimals(s.end - s.begin);
  paper.fillStyle = zone.idle ? d.quiet : d.ink;
  paper.fillText(word, left, y + 8.5);
  if (room < widthOf(word) + widthOf(time) + 14) return;
  paper.globalAlpha = 0.75;
  paper.fillText(time, left + room - widthOf(time), y + 8.5);
  paper.globalAlpha = 1;
}

// drawBusy draws how many lanes of a folded band are busy.
function drawBusy(d, b, top) {
  const most = Math.max(1, ...b.busy.map(([, n]) => n)), full = b.levels * levelHeight - 3;
  paper.fillStyle = d.accent;
  paper.globalAlpha = 0.55;
  b.busy.forEach(([at, n], i) => {
    const x = Math.max(xOf(at), gutter()), end = Math.min(xOf(i + 1 < b.busy.length ? b.busy[i + 1][0] : timeline.length), d.width);
    if (n > 0 && end > x) paper.fillRect(x, top + full * (1 - n / most), Math.max(end - x, 0.5), full * n / most);
  });
  paper.globalAlpha = 1;
}

function widthOf(word) {
  if (wordWidth.size > 5000) wordWidth.clear();
  if (!wordWidth.has(word)) wordWidth.set(word, paper.measureText(word.slice(0, 400)).width);
  return wordWidth.get(word);
}

// shortened cuts a text to a width. It loses its end.
function shortened(word, room) {
  word = word.slice(0, 400);
  if (widthOf(word) <= room) return word;
  const n = Math.floor(word.length * room / widthOf(word)) - 1;
  return n < 1 ? '' : word.slice(0, n) + '\u2026';
}

// cutShort reports whether a name has room for a few letters only, which are no help.
const cutShort = (word, room) => room < 40 && widthOf(word.slice(-400)) > room;

// tailOf cuts a text to a width. It loses its beginning, because names of one family differ at their ends.
function tailOf(word, room) {
  if (widthOf(word) <= room) return word;
  let n = Math.floor(word.length * room / widthOf(word)) - 1;
  while (n > 0 && widthOf('\u2026' + word.slice(-n)) > room) n--;
  return n < 1 ? '' : '\u2026' + word.slice(-n);
}

// under returns the band, and the scope of a lane, at a place of the canvas.
function under(e) {
  const box = canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top + lanesBox.scrollTop;
  if (!timeline || e.clientY - box.top < axisHeight) return {};
  const band = timeline.bands.find(b => y >= b.y && y < b.top + b.levels * levelHeight), level = band ? Math.floor((y - band.top) / levelHeight) : -1;
  const row = band && band.lane && x >= gutter() && band.lane.rows[level];
  return {band, level, ms: msOf(x), scope: row ? scopeAt(row, msOf(x), (sight.to - sight.from) / canvas.clientWidth) : null};
}

function scopeTip(e, {band, scope}) {
  const zone = zoneOf(scope.zone), lines = [[`from ${scope.begin.toFixed(timeDecimals())} to ${scope.end.toFixed(timeDecimals())} ms of the frame`, ''], ['on ' + (band.inside ? band.lane.name : band.name), '']];
  if (zone.place) lines.push([zone.place, '']);
  if (scope.said) lines.unshift([scope.said.slice(0, 400), '']);
  if (scope.before || scope.after) lines.push([scope.before && scope.after ? 'open before and after what is shown' : scope.before ? 'begun before what is shown' : 'still open at the end of what is shown', '']);
  showTip(e.clientX, e.clientY, [zone.name.slice(0, 200), (scope.end - scope.begin).toFixed(timeDecimals()) + ' ms'], lines);
}

let drag = null; // {x, y, from, down, moved}
canvas.onpointerdown = e => {
  if (e.button !== 0 || !timeline) return;
  drag = {x: e.clientX, y: e.clientY, from: sight.from, down: lanesBox.scrollTop, moved: false};
  canvas.setPointerCapture(e.pointerId);
};
canvas.onpointermove = e => {
  if (drag) {
    if (Math.abs(e.clientX - drag.x) + Math.abs(e.clientY - drag.y) > 4) drag.moved = true;
    if (drag.moved) {
      hideTip();
      const wide = sight.to - sight.from, from = Math.max(0, Math.min(timeline.length - wide, drag.from - (e.clientX - drag.x) / (canvas.clientWidth - gutter()) * wide));
      lanesBox.scrollTop = drag.down - (e.clientY - drag.y);
      lookAt(from, from + wide);
    }
    return;
  }
  const at = under(e), before = litScope;
  litScope = at.scope || null;
  canvas.style.cursor = litScope || (at.band && at.band.of) ? 'pointer' : 'grab';
  if (litScope) scopeTip(e, at);
  else if (at.band && at.band.of) showTip(e.clientX, e.clientY, [at.band.name, ''], [[`${grouped(lanesAt(at.band.busy, at.ms))} of them busy at ${at.ms.toFixed(timeDecimals())} ms`, ''], [at.band.open ? 'click to fold them' : 'click to see each', '']]);
  else hideTip();
  light(litScope ? litScope.zone : -1);
  if (before !== litScope) drawTimeline();
};
canvas.onpointerup = e => {
  const moved = drag && drag.moved;
  drag = null;
  const {band, level, scope} = under(e);
  if (moved || !band) return;
  if (band.of) {
    if (!openCrowds.delete(band.crowd)) openCrowds.add(band.crowd);
    layBands();
    drawTimeline();
  } else if (scope) {
    const i = nodeOfScope(band.lane, level, scope);
    if (i >= 0) { point(i); light(scope.zone); }
  }
};
canvas.onpointercancel = () => { drag = null; };
canvas.onpointerleave = () => { litScope = null; hideTip(); light(-1); drawTimeline(); };
canvas.ondblclick = e => {
  const {scope} = under(e);
  if (scope) lookAt(scope.begin - 0.1 * (scope.end - scope.begin), scope.end + 0.1 * (scope.end - scope.begin));
};
canvas.addEventListener('wheel', e => {
  if (!timeline) return;
  const whole = sight.to - sight.from >= timeline.length, wide = sight.to - sight.from;
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) / canvas.clientWidth * wide);
  else if (whole && e.deltaY > 0) return; // there is no more to see: the page scrolls
  else zoomAround(msOf(e.clientX - canvas.getBoundingClientRect().left), 1.002 ** e.deltaY);
  e.preventDefault();
}, {passive: false});
lanesBox.onscroll = drawTimeline;
lanesBox.onkeydown = e => {
  if (!timeline) return;
  const wide = sight.to - sight.from, middle = (sight.from + sight.to) / 2;
  const act = {
    ArrowLeft: () => pan(-wide / 5), ArrowRight: () => pan(wide / 5), Home: showWhole,
    '+': () => zoomAround(middle, 0.5), '=': () => zoomAround(middle, 0.5), '-': () => zoomAround(middle, 2),
    Enter: () => { for (const b of timeline.bands) if (b.of && !openCrowds.delete(b.crowd)) openCrowds.add(b.crowd); layBands(); drawTimeline(); },
  }[e.key];
  if (act) { e.preventDefault(); act(); }
};
find('closer').onclick = () => zoomAround((sight.from + sight.to) / 2, 0.5);
find('farther').onclick = () => zoomAround((sight.from + sight.to) / 2, 2);
find('fitted').onclick = showWhole;
new ResizeObserver(() => { if (timeline) { layBands(); drawTimeline(); } }).observe(find('timeline'));
matchMedia('(prefers-color-scheme: dark)').onchange = drawTimeline;
