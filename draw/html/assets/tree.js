// The tree table: folds, sorts among siblings, filters.
let current = null;  // the tree shown
let currentKey = '';
let sort = {key: 'hier', down: true};
let rowAt = -1;      // node of the highlighted row
const body = find('tree').tBodies[0];

// value of a node for each column that sorts.
const columnValue = {
  name: n => zoneOf(n.zone).name.toLowerCase(), self: n => n.self, hier: n => n.hier, share: n => n.hier,
  count: n => n.count, average: n => n.count > 0 ? n.hier / n.count : 0, ticks: n => n.hier, ...chargeValues,
};
const treeColumns = [['name', 'zone'], ['self', wordSelf], ['hier', wordHier], ['', ''], ['share', wordHierShare], ['count', wordCount], ['average', wordHierPerCall], ['ticks', 'ticks'], ...chargeHeadings];

// heading fills the head of a table with buttons that sort.
function heading(table, columns, state, redraw) {
  const row = make('tr');
  for (const [key, title] of columns) {
    const cell = make('th', key === 'name' ? 'name' : '');
    cell.scope = 'col';
    if (key) {
      const button = make('button', '', title);
      button.type = 'button';
      button.onclick = () => { state.down = state.key === key ? !state.down : key !== 'name'; state.key = key; mark(); redraw(); };
      cell.dataset.key = key;
      cell.append(button);
    }
    row.append(cell);
  }
  const mark = () => { for (const c of row.cells) {
    if (c.dataset.key === state.key) c.setAttribute('aria-sort', state.down ? 'descending' : 'ascending'); else c.removeAttribute('aria-sort');
  } };
  mark();
  table.tHead.replaceChildren(row);
}

// compare orders by value, equal values by their first order.
const comparing = (value, down) => (a, b) => {
  const x = value(a), y = value(b);
  return x < y ? (down ? 1 : -1) : x > y ? (down ? -1 : 1) : 0;
};

// firstOpened opens what matters: the largest nodes down to 2 % of the whole, until about 40 rows show.
function firstOpened(tree) {
  const opened = new Set(), queue = tree.roots.slice();
  let rows = queue.length;
  while (queue.length > 0 && rows < 40) {
    queue.sort((a, b) => tree.nodes[b].hier - tree.nodes[a].hier);
    const i = queue.shift(), n = tree.nodes[i];
    if (n.kids.length === 0 || n.waiting || (n.parent >= 0 && n.hier < 0.02 * tree.sum)) continue;
    opened.add(i);
    rows += n.kids.length;
    queue.push(...n.kids);
  }
  return opened;
}

// matching returns the nodes whose zone contains the filter's text, and those with all above them; null without a filter.
function matching(tree) {
  const wanted = find('filter').value.trim().toLowerCase();
  if (!wanted) return null;
  const hits = new Set(), kept = new Set();
  const match = zones.map(z => (z.name + ' ' + z.place).toLowerCase().includes(wanted));
  tree.nodes.forEach((n, i) => {
    if (!match[n.zone]) return;
    hits.add(i);
    for (let at = i; at >= 0 && !kept.has(at); at = tree.nodes[at].parent) kept.add(at);
  });
  return {hits, kept};
}

// visibleRows returns the nodes to show, in order.
function visibleRows(tree, filter) {
  const rows = [], by = comparing(i => columnValue[sort.key](tree.nodes[i]), sort.down), idle = i => zoneOf(tree.nodes[i].zone).idle;
  const order = (a, b) => idle(a) - idle(b) || by(a, b); // what worked comes first
  const reversed = list => list.slice().sort(order).reverse();
  const stack = reversed(tree.roots);
  while (stack.length > 0) {
    const i = stack.pop(), n = tree.nodes[i];
    if (filter ? !filter.kept.has(i) : n.count === 0 && n.hier === 0 && !n.open && n.more === nothing) continue;
    rows.push(i);
    if (filter || tree.opened.has(i)) for (const kid of reversed(n.kids)) stack.push(kid);
  }
  return rows;
}

// Browsers lay out some thousand rows a second, so rows come in pages.
const rowPage = 2000;
let rowLimit = rowPage;

// drawTree fills the table, with the page of rows that node must is on.
function drawTree(must) {
  if (!current.opened) current.opened = firstOpened(current);
  const filter = matching(current), rows = visibleRows(current, filter), part = document.createDocumentFragment();
  if (typeof must === 'number') rowLimit = Math.max(rowLimit, Math.ceil((rows.indexOf(must) + 1) / rowPage) * rowPage);
  for (const i of rows.slice(0, rowLimit)) part.append(treeRow(i, filter));
  body.replaceChildren(part);
  drawMore(rows.length - rowLimit, rows.length === 0 ? (filter ? 'no zone matches the filter' : 'nothing measured') : '');
  if (!rowOf(rowAt)) rowAt = rows.length > 0 ? rows[0] : -1;
  if (rowOf(rowAt)) rowOf(rowAt).tabIndex = 0;
}

// drawMore ends the table: a button for the rows that are left, or a remark.
function drawMore(left, remark) {
  find('more').replaceChildren(remark);
  if (left <= 0) return;
  const button = make('button', '', `Show ${grouped(Math.min(left, rowPage))} more of ${grouped(left)} rows`);
  button.type = 'button';
  button.onclick = () => { rowLimit += rowPage; drawTree(); };
  find('more').append(button);
}

const rowOf = i => i >= 0 ? body.querySelector(`tr[data-node="${i}"]`) : null;

function treeRow(i, filter) {
  const n = current.nodes[i], zone = zoneOf(n.zone), row = make('tr');
  if (zone.idle) row.classList.add('idle');
  if (filter && filter.hits.has(i)) row.classList.add('match');
  if (i === rowAt) row.classList.add('at');
  row.dataset.node = i;
  row.dataset.zone = n.zone;
  row.tabIndex = -1;
  row.setAttribute('aria-level', n.level + 1);
  const opened = n.kids.length > 0 && (filter !== null || current.opened.has(i));
  if (n.kids.length > 0) row.setAttribute('aria-expanded', opened);
  const cool = zone.idle || n.parent < 0;
  row.append(nameCell(n, zone, n.kids.length > 0, opened), timeCell(n.self, cool ? 0 : n.self / current.mostSelf, false),
    timeCell(n.hier, cool ? 0 : n.hier / current.mostHier, true), barCell(n.self, n.hier, current.whole, zone),
    make('td', '', share(n.hier, current.whole)), make('td', '', count(n.count)),
    n.count > 0 ? timed('', n.hier * msPerTick / n.count) : make('td', '', '-'), make('td', '', grouped(n.hier)), ...chargeCells(n));
  return row;
}

function nameCell(n, zone, folds, opened) {
  const cell = make('td', 'name'), line = make('div');
  cell.style.setProperty('--level', Math.min(n.level, 24));
  if (folds) {
    const fold = make('button', 'fold', opened ? '\u25be' : '\u25b8');
    fold.type = 'button';
    fold.tabIndex = -1;
    fold.setAttribute('aria-label', opened ? 'fold' : 'unfold');
    line.append(fold);
  } else line.append(make('span', 'fold'));
  zoneLabel(line, zone, (n.level > 24 ? `[${n.level}] ` : '') + (n.sign || ''));
  if (n.sign) line.title += `\nestimated; standard error of self time ${n.error.toPrecision(3)} ms`;
  if (n.waiting) line.append(make('span', 'state', `${grouped(n.kids.length)} zones`));
  if (n.open) line.append(make('span', 'state', 'open'));
  if (n.left) line.append(make('span', 'state', `\u2026 and ${grouped(n.left)} more below`));
  cell.append(line);
  return cell;
}

// zoneLabel appends colour, name, site and state.
function zoneLabel(line, zone, before) {
  line.append(swatch(zone), ending('text', before + zone.short.slice(-200)));
  line.title = zone.name.slice(0, 400) + (zone.place ? '\n' + zone.place : '');
  if (zone.site) line.append(make('span', 'site', zone.site));
  if (zone.idle && zone !== waitingZone) line.append(make('span', 'state', 'idle'));
}

// timeCell shows ticks as time; heat is the share of the largest in the column.
function timeCell(ticks, heat, main) {
  const cell = timed(main ? 'main' : '', ticks * msPerTick);
  if (heat >= 0.2) {
    cell.classList.add('heat');
    cell.style.setProperty('--heat', Math.min(1, heat).toFixed(2));
  }
  return cell;
}

function barCell(self, hier, whole, zone) {
  const cell = make('td', 'bar'), frame = make('div');
  paint(cell, zone);
  for (const part of [hier, self]) {
    const bar = make('i');
    bar.style.setProperty('--part', Math.max(0, Math.min(1, part / whole)).toFixed(4));
    frame.append(bar);
  }
  cell.append(frame);
  return cell;
}

// moveRow highlights the row of node i.
function moveRow(i, focus) {
  const old = rowOf(rowAt), row = rowOf(i);
  if (!row) return;
  if (old) { old.classList.remove('at'); old.tabIndex = -1; }
  rowAt = i;
  row.classList.add('at');
  row.tabIndex = 0;
  if (focus) row.focus();
}

function fold(i, open) {
  if (open) current.opened.add(i); else current.opened.delete(i);
  const focused = body.contains(document.activeElement);
  drawTree(i);
  moveRow(i, focused);
}

// revealRow opens all above node i, and scrolls to its row.
function revealRow(i) {
  find('filter').value = '';
  for (let at = current.nodes[i].parent; at >= 0; at = current.nodes[at].parent) current.opened.add(at);
  drawTree(i);
  moveRow(i, true);
  if (rowOf(i)) rowOf(i).scrollIntoView({block: 'nearest'});
}

body.onclick = e => {
  const row = e.target.closest('tr');
  if (!row) return;
  const i = Number(row.dataset.node);
  moveRow(i, true);
  if (e.target.closest('.fold') && row.hasAttribute('aria-expanded')) fold(i, !current.opened.has(i));
};
body.ondblclick = e => {
  const row = e.target.closest('tr');
  if (row && !e.target.closest('.fold') && row.hasAttribute('aria-expanded')) fold(Number(row.dataset.node), row.getAttribute('aria-expanded') === 'false');
};
body.onkeydown = e => {
  const row = rowOf(rowAt);
  if (!row) return;
  const n = current.nodes[rowAt], expanded = row.getAttribute('aria-expanded'), step = to => to && moveRow(Number(to.dataset.node), true);
  const act = {
    ArrowDown: () => step(row.nextSibling), ArrowUp: () => step(row.previousSibling),
    Home: () => step(body.firstChild), End: () => step(body.lastChild),
    ArrowRight: () => expanded === 'false' ? fold(rowAt, true) : expanded === 'true' && step(row.nextSibling),
    ArrowLeft: () => expanded === 'true' && current.opened.has(rowAt) ? fold(rowAt, false) : n.parent >= 0 && moveRow(n.parent, true),
    Enter: () => expanded && fold(rowAt, expanded === 'false'), ' ': () => expanded && fold(rowAt, expanded === 'false'),
  }[e.key];
  if (act) { e.preventDefault(); act(); }
};
body.onpointerover = e => { const row = e.target.closest('tr'); light(row ? Number(row.dataset.zone) : -1); };
body.onpointerleave = () => light(-1);
find('filter').oninput = () => drawTree();
find('expand').onclick = () => { current.opened = new Set(current.nodes.keys()); drawTree(); };
find('collapse').onclick = () => { current.opened = new Set(); drawTree(); };
