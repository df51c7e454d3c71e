// The data of the page, and how numbers are shown.
const find = id => document.getElementById(id);
let data, msPerTick, zones, history;
const marks = new Map();    // what the program marked, by the index of the frame
const signs = new Map();    // of the zones of which something is estimated in the run
const decoded = new Map();  // trees, when first shown
let pictures, hasTree;      // of frames, by index

// read takes the data of the page, or what a page that is live got later.
function read(next) {
  data = next;
  data.frames.push(...data.further); // those that came last
  data.further = [];
  msPerTick = data.tps > 0 ? 1000 / data.tps : 0;
  zones = data.zones.map(([name, site, place, color, idle, short]) =>
    ({name: name.trim() ? name : '(unnamed)', short: short || (name.trim() ? name : '(unnamed)'), site, place: data.places[place], color, idle: idle === 1}));
  history = data.history.map(([index, length, busy, pace, cycles, pause, alloc, live, label, runnable = 0, locks = 0, blocked = 0]) =>
    ({index, length, busy, judged: busy + blocked, over: pace === 2, waited: pace === 1, cycles, pause, alloc, live, label, runnable, locks, blocked}));
  marks.clear();
  for (const [frame, at, text] of data.marks || []) marks.set(frame, [...(marks.get(frame) || []), {at, text}]);
  signs.clear();
  for (const [i, sign] of data.trees[0].e || []) {
    const zone = data.trees[0].z[i];
    if (signs.get(zone) !== '\u2248') signs.set(zone, sign); // that of a number of entries goes before that of a time
  }
  decoded.clear();
  pictures = new Map(data.pictures.map(p => [p.i, p]));
  hasTree = new Set(data.frames.map(f => f.i));
}
read(JSON.parse(find('data').textContent));

// waitingZone stands for several zones that wait: see foldWaiting.
const waitingZone = {name: 'waiting', short: 'waiting', site: '', place: '', color: '626c7a', idle: true};

// zoneOf returns a zone; one that is not in the table is shown by its id.
const zoneOf = id => id === -1 ? waitingZone : zones[id] || {...waitingZone, name: `(zone ${id})`, short: `(zone ${id})`, idle: false};

// make creates an element. Text is only ever set as text, so no name can become markup.
function make(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

// ending creates a text that loses its beginning where there is no room, because names of one family differ at their ends.
function ending(className, text) {
  const e = make('span', className + ' ending');
  e.append(make('bdi', '', text));
  return e;
}

const fourDigits = v => v >= 999.95 ? 0 : v >= 99.995 ? 1 : v >= 9.9995 ? 2 : 3;

// fit formats milliseconds in the unit that fits, with four digits.
function fit(ms) {
  if (ms === 0) return '0 ms';
  const size = Math.abs(ms) * 1.00005;
  const [unit, scale] = size >= 6e7 ? ['h', 1 / 3.6e6] : size >= 6e5 ? ['min', 1 / 6e4] : size >= 1000 ? ['s', 1e-3] : size >= 1 ? ['ms', 1] : size >= 1e-3 ? ['µs', 1e3] : ['ns', 1e6];
  const v = ms * scale;
  return v.toFixed(fourDigits(Math.abs(v))) + ' ' + unit;
}

const signOf = zone => signs.get(zone) || '';
const signed = zone => signOf(zone) + zoneOf(zone).short;

// words are the headings of columns, as in all displays.
const [wordSelf, wordHier, wordSelfShare, wordHierShare, wordCount, wordSelfPerCall, wordHierPerCall] = data.words;

// inTimeUnit returns a time in the unit that suits its size, its decimals and the unit, as the window does.
function inTimeUnit(ms) {
  const size = Math.abs(ms), [unit, per] = size >= 6e7 ? ['h', 3.6e6] : size >= 6e5 ? ['min', 6e4] : size >= 1e4 ? ['s', 1e3] : ['ms', 1];
  return [(ms / per).toFixed(per > 1 && size / per >= 100 ? 1 : 2), unit, per];
}

// withUnit formats a time: 12.34 ms, 15.20 s, 12.50 min.
const withUnit = ms => inTimeUnit(ms).slice(0, 2).join(' ');

// decimals is withUnit without the unit ms, for places that have it in their heading.
const decimals = ms => Math.abs(ms) >= 1e4 ? withUnit(ms) : ms.toFixed(2);

// timed makes a cell of milliseconds that says the time with more digits when hovered.
function timed(className, ms) {
  const cell = make('td', className, decimals(ms));
  cell.title = fit(ms);
  return cell;
}

const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');
const count = n => Number.isInteger(n) ? grouped(n) : n.toFixed(2);
const percent = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(1) + ' %' : '-';

// share is percent, or the number of lanes at once where several lanes have more time than has passed.
const share = (part, whole) => whole > 0 && part > 1.05 * whole ? (part / whole).toFixed(1) + ' at once' : percent(part, whole);

// bytes formats a number of bytes.
function bytes(n) {
  let unit = 0;
  while (n >= 1000 && unit < 4) { n /= 1000; unit++; }
  return (unit ? n.toFixed(1) : n) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB'][unit];
}

// decode makes nodes of the columns of a tree. Hierarchical ticks are self and the children's but for the listed ones.
// A tree has its nodes in preorder; whole is the time percents are of.
function decode(columns, title, whole) {
  const nodes = columns.z.map((zone, i) => ({zone, level: columns.l[i], count: columns.c[i], self: columns.s[i], hier: 0, parent: -1, kids: [], open: false, more: nothing}));
  const path = [], roots = [];
  nodes.forEach((n, i) => {
    n.parent = n.level > 0 && path[n.level - 1] !== undefined ? path[n.level - 1] : -1;
    path[n.level] = i;
    (n.parent < 0 ? roots : nodes[n.parent].kids).push(i);
  });
  for (const i of columns.o) nodes[i].open = true;
  for (const [i, ...numbers] of columns.m || []) nodes[i].more = numbersOf(numbers);
  for (const [i, sign, error] of columns.e || []) Object.assign(nodes[i], {sign, error});
  for (const [i, left] of columns.x || []) nodes[i].left = left;
  const listed = new Map(columns.h);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const n = nodes[i];
    n.hier = listed.has(i) ? listed.get(i) : n.hier + n.self;
    if (n.parent >= 0) nodes[n.parent].hier += n.hier;
  }
  let mostSelf = 0, mostHier = 0, sum = 0;
  for (const n of nodes) {
    if (n.parent < 0) sum += n.hier;
    else if (!zoneOf(n.zone).idle) { mostSelf = Math.max(mostSelf, n.self); mostHier = Math.max(mostHier, n.hier); }
  }
  for (const i of roots) foldWaiting(nodes, i);
  return {title, nodes, roots, mostSelf, mostHier, sum, whole: whole > 0 ? whole / msPerTick : sum, opened: null};
}

// foldWaiting puts the zones that wait below a root, if they are several, below a node of their own, which is folded at first.
function foldWaiting(nodes, root) {
  const waits = nodes[root].kids.filter(i => zoneOf(nodes[i].zone).idle && (nodes[i].count > 0 || nodes[i].hier > 0 || nodes[i].open));
  if (waits.length < 2) return;
  const sum = key => waits.reduce((all, i) => all + nodes[i][key], 0);
  const at = nodes.push({zone: -1, level: 1, count: sum('count'), self: sum('hier'), hier: sum('hier'), parent: root, kids: waits, open: false, more: nothing, waiting: true}) - 1;
  for (const i of waits) nodes[i].parent = at;
  nodes[root].kids = nodes[root].kids.filter(i => !waits.includes(i)).concat(at);
}

// kidsOf returns the children of a node, those that wait among them.
const kidsOf = (nodes, i) => nodes[i].kids.flatMap(k => nodes[k].waiting ? nodes[k].kids : [k]);

// treeOf returns the tree of a lane or a frame.
function treeOf(key) {
  if (!decoded.has(key)) {
    const [kind, id] = key.split(':');
    if (kind === 'lane') decoded.set(key, decode(data.trees[id], data.trees[id].name || '(unnamed)', id === '0' ? data.run : 0));
    else {
      const columns = data.frames.find(f => f.i === Number(id)), frame = history.find(f => f.index === Number(id));
      decoded.set(key, columns && decode(columns, 'frame ' + id, frame ? frame.length : 0));
    }
  }
  return decoded.get(key);
}

// tip shows lines of [left, right, zone] beside the pointer, or hides.
const tip = find('tip');
function showTip(x, y, head, lines, picture) {
  tip.replaceChildren();
  const title = make('div', 'head');
  title.append(make('span', '', head[0]), make('span', '', head[1]));
  tip.append(title);
  for (const [left, right, zone] of lines) {
    const line = make('div'), name = make('span', '', left);
    if (zone) name.prepend(swatch(zone));
    line.append(name, make('span', '', right));
    tip.append(line);
  }
  if (picture) {
    const image = make('img');
    image.src = 'data:image/png;base64,' + picture.png;
    [image.width, image.height, image.alt] = [picture.w, picture.h, 'what the frame showed'];
    tip.append(image);
  }
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, x + 16 + box.width > innerWidth ? x - box.width - 12 : x + 16) + 'px';
  tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - box.height - 6)) + 'px';
}
const hideTip = () => { tip.hidden = true; };

// paint gives an element a zone's colour.
function paint(e, zone) {
  e.style.setProperty('--zone', `#${zone.color}`);
  return e;
}

const swatch = zone => paint(make('span', 'swatch'), zone);

// light marks everything that shows a zone; -1 marks nothing.
let litZone = -1;
function light(zone) {
  if (zone === litZone) return;
  litZone = zone;
  for (const e of document.querySelectorAll('.lit')) e.classList.remove('lit');
  if (zone >= 0) for (const e of document.querySelectorAll(`[data-zone="${zone}"]`)) e.classList.add('lit');
  drawTimeline();
}
