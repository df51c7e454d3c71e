// The history: one column a frame, stacked by zone; the pointer shows a frame, a click or the arrow keys choose it.
const plot = find('plot');
let chosenFrame = -1; // index into history, -1 = the whole run
let shownFrame = -1;  // under the pointer

const valueAt = (s, i) => s.values[i + s.values.length - history.length] || 0;
let shared, others; // the layers: of zones, and what is left
const mean = values => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

// top returns the height of the scale in ms, a round number above all but freak frames.
function scaleTop() {
  const most = Math.max(0.001, ...history.map(f => f.judged), data.budget > 0 ? data.budget * 1.15 : 0) * 1.08;
  const [, , per] = inTimeUnit(most), step = niceStep(most / per / 4) * per;
  return {top: Math.ceil(most / step) * step, step};
}

function niceStep(v) {
  const power = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].find(n => n * power >= v) * power;
}

// stack returns the outline of one layer, steps of one unit a frame, and raises base by it.
function stack(base, height, top) {
  let up = '', down = '';
  for (let i = 0; i < base.length; i++) {
    const low = 1000 * (1 - base[i] / top), high = 1000 * (1 - (base[i] + height[i]) / top);
    up += `L${i} ${high.toFixed(1)}H${i + 1}`;
    down = `V${low.toFixed(1)}H${i}` + down;
    base[i] += height[i];
  }
  return 'M0 1000' + up + down + 'Z';
}

const vector = (tag, attributes) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) e.setAttribute(name, attributes[name]);
  return e;
};

function drawHistory() {
  shared = data.series.map(([zone, values]) => ({zone, values}));
  others = history.map((f, i) => Math.max(0, f.judged - shared.reduce((sum, s) => sum + valueAt(s, i), 0)));
  if (history.length === 0) return;
  find('history').hidden = false;
  for (const part of ['scale', 'plot', 'ages', 'legend']) find(part).replaceChildren();
  const {top, step} = scaleTop();
  drawScale(top, step);
  const svg = vector('svg', {viewBox: `0 0 ${history.length} 1000`, preserveAspectRatio: 'none', 'aria-hidden': 'true', 'shape-rendering': 'crispEdges'});
  const base = history.map(() => 0);
  for (const s of shared) {
    const path = vector('path', {d: stack(base, history.map((f, i) => Math.min(valueAt(s, i), f.judged - base[i] > 0 ? f.judged - base[i] : 0)), top), class: 'path', 'data-zone': s.zone});
    svg.append(paint(path, zoneOf(s.zone)));
  }
  const rest = over => history.map((f, i) => f.over === over ? others[i] : 0), alone = shared.length === 0 ? ' alone' : '';
  svg.append(vector('path', {d: stack(base, rest(false), top), class: 'rest' + alone}), vector('path', {d: stack(base, rest(true), top), class: 'rest over' + alone}));
  find('history').classList.toggle('alone', alone !== '');
  plot.append(svg);
  drawBudget(top);
  history.forEach((f, i) => { if (marks.has(f.index)) plot.append(mark('flag', i, history.length)); });
  for (const name of ['cursor', 'cursor chosen']) plot.append(make('div', name));
  drawBands();
  drawAges();
  drawLegend();
  plot.setAttribute('aria-valuemax', history.length - 1);
  markFrame();
}

// drawScale draws the lines of the scale. Of milliseconds only the lowest number has the unit.
function drawScale(top, step) {
  const [, unit, per] = inTimeUnit(top);
  for (let v = 0; v <= top * 1.0001; v += step) {
    const label = make('span', '', Number((v / per).toPrecision(6)) + (per > 1 ? unit : v === 0 ? ' ' + unit : ''));
    label.style.bottom = 100 * v / top + '%';
    find('scale').append(label);
    const line = make('div', 'grid');
    line.style.bottom = 100 * v / top + '%';
    plot.append(line);
  }
}

// drawBudget draws the frame budget and its double, where 60 frames a second have become 30.
function drawBudget(top) {
  for (const [ms, className] of [[data.budget, 'budget'], [2 * data.budget, 'budget far']]) {
    if (!(ms > 0 && ms <= top)) continue;
    const line = make('div', className);
    line.style.bottom = 100 * ms / top + '%';
    const apart = data.budget / top * 210 >= 16; // the two words, in pixels
    if (apart || className === 'budget') line.append(make('span', '', `${fit(ms)} · ${Math.round(1000 / ms)} fps`));
    plot.append(line);
  }
}

// drawAges draws the marks below the columns: a tree is kept, a garbage collection, the frame of the verdict; and how many
// frames ago.
function drawAges() {
  const ages = find('ages'), n = history.length;
  history.forEach((f, i) => {
    if (hasTree.has(f.index)) ages.append(mark('', i, n));
    if (data.why && data.why[1] === f.index) ages.append(mark('why', i, n));
    if (f.cycles > 0) ages.append(mark('gc', i, n));
  });
  for (let part = 0; part <= 5; part++) {
    const age = Math.round((n - 1) * (1 - part / 5)), label = make('span', '', age === 0 ? 'newest' : '\u2212' + age);
    label.style.left = part === 5 ? '100%' : 100 * (n - 1 - age) / n + '%';
    ages.append(label);
  }
}

function mark(className, i, n) {
  const m = make('i', className);
  m.style.left = 100 * i / n + '%';
  m.style.width = 100 / n + '%';
  return m;
}

// drawLegend lists the layers from top to bottom, with the values of the frame shown or their mean.
function drawLegend() {
  find('history').classList.toggle('many', shared.length > 12);
  if (shared.length > 0) {
    const line = make('div');
    line.append(make('span', 'swatch rest'), make('span', 'name', 'other zones'), make('span', 'value'));
    find('legend').append(line);
  }
  for (const s of shared.slice().reverse()) {
    const line = make('div'), zone = zoneOf(s.zone);
    line.dataset.zone = s.zone;
    line.title = zone.name;
    line.append(swatch(zone), ending('name', signed(s.zone)), make('span', 'value'));
    line.onpointerenter = () => light(s.zone);
    line.onpointerleave = () => light(-1);
    find('legend').append(line);
  }
}

function legendValues() {
  const at = shownFrame >= 0 ? shownFrame : chosenFrame;
  const values = shared.slice().reverse().map(s => at >= 0 ? valueAt(s, at) : mean(s.values));
  if (shared.length > 0) values.unshift(at >= 0 ? others[at] : mean(others));
  values.forEach((v, row) => { find('legend').children[row].lastChild.textContent = decimals(v); });
}

// markFrame shows where pointer and choice are.
function markFrame() {
  const [under, chosen] = plot.querySelectorAll('.cursor');
  for (const [e, i] of [[under, shownFrame], [chosen, chosenFrame]]) {
    e.hidden = i < 0;
    e.style.left = 100 * i / history.length + '%';
    e.style.width = `max(2px, ${100 / history.length}%)`;
  }
  const i = chosenFrame;
  plot.setAttribute('aria-valuenow', i < 0 ? history.length - 1 : i);
  plot.setAttribute('aria-valuetext', i < 0 ? 'whole run' : `frame ${history[i].index}, ${withUnit(history[i].length)}, ${partsOf(history[i])}`);
  legendValues();
}

function frameAt(event) {
  const box = plot.getBoundingClientRect();
  return Math.max(0, Math.min(history.length - 1, Math.floor((event.clientX - box.left) / box.width * history.length)));
}

function frameTip(x, y, i) {
  const f = history[i];
  const lines = shared.map(s => [signed(s.zone), decimals(valueAt(s, i)), zoneOf(s.zone), valueAt(s, i)]).filter(l => l[3] > 0).sort((a, b) => b[3] - a[3]).slice(0, 4);
  if (f.label) lines.unshift([f.label, '']);
  lines.push([partsOf(f), '']);
  if (f.alloc) lines.push(['allocated', bytes(f.alloc)]);
  if (f.cycles) lines.push([`${f.cycles} garbage collection${f.cycles > 1 ? 's' : ''}`, fit(f.pause)]);
  for (const s of sectionsOf()) if (s.from <= f.index && f.index <= s.to) lines.push(['section ' + s.name.slice(0, 60), '']);
  const here = marks.get(f.index) || [];
  lines.push(...here.slice(0, 4).map(m => ['\u2691 ' + m.text, decimals(m.at)]));
  if (here.length > 4) lines.push([`\u2691 ${here.length - 4} more marks`, '']);
  if (!hasTree.has(f.index)) lines.push(['its tree was not kept', '']);
  showTip(x, y, ['Frame ' + f.index, withUnit(f.length)], lines, pictures.get(f.index));
}

// chooseFrame chooses frame i of the history; -1 is the whole run.
function chooseFrame(i) {
  chosenFrame = Math.max(-1, Math.min(history.length - 1, i));
  if (history.length > 0) markFrame();
  show(chosenFrame < 0 ? 'lane:0' : 'frame:' + history[chosenFrame].index);
}

// nextOver returns the next frame over budget in a direction, or where it began.
function nextOver(from, step) {
  for (let i = from + step; i >= 0 && i < history.length; i += step) if (history[i].over) return i;
  return from;
}

plot.onpointermove = e => { shownFrame = frameAt(e); markFrame(); frameTip(e.clientX, e.clientY, shownFrame); };
plot.onpointerleave = () => { shownFrame = -1; markFrame(); hideTip(); };
plot.onclick = e => chooseFrame(frameAt(e));
plot.onkeydown = e => {
  const at = chosenFrame < 0 ? history.length : chosenFrame;
  const to = {ArrowLeft: Math.max(0, at - 1), ArrowRight: at + 1, Home: 0, End: history.length - 1, PageUp: nextOver(at, -1), PageDown: nextOver(at, 1)}[e.key];
  if (to === undefined) return;
  e.preventDefault();
  chooseFrame(Math.min(to, history.length - 1));
};
