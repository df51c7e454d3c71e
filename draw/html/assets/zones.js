// The list of zones, largest self time first.
const top50 = 50;
let showAll = false;
const zoneSort = {key: 'self', down: true};
let zoneRows = [], mostOfZones = 1;

// totals sums the nodes of a tree by zone. Recursion counts once: a node below another of its zone adds no hierarchical time.
function totals(tree) {
  const of = new Map(), path = [];
  for (const n of tree.nodes) if (!n.waiting) {
    path.length = Math.min(path.length, n.level);
    if (!of.has(n.zone)) of.set(n.zone, {zone: n.zone, count: 0, self: 0, hier: 0, more: nothing});
    const r = of.get(n.zone);
    r.count += n.count;
    r.self += n.self;
    if (!path.includes(n.zone)) r.hier += n.hier;
    path[n.level] = n.zone;
    if (n.more !== nothing) {
      const sum = {};
      for (const key in nothing) sum[key] = r.more[key] + n.more[key];
      r.more = sum;
    }
  }
  return [...of.values()];
}

// takeZones makes the rows of what is shown: the whole run, a lane or a frame.
function takeZones(tree, key) {
  zoneRows = key !== 'lane:0' ? totals(tree) :
    data.top.map(([zone, entries, self, hier, more]) => ({zone, count: entries, self, hier: hier || self, more: more ? numbersOf(more) : nothing}));
  mostOfZones = zoneRows.reduce((most, r) => zoneOf(r.zone).idle || r.zone === 0 ? most : Math.max(most, r.self), 1);
  find('of').textContent = 'of ' + subject(key);
  drawZones();
}

// subject names what is shown.
const subject = key => key === 'lane:0' ? 'the whole run' : key.startsWith('frame') ? 'frame ' + key.slice(6) : current.title;
const zoneColumns = [['name', 'zone'], ['self', wordSelf], ['', ''], ['share', wordSelfShare], ['hier', wordHier], ['count', wordCount], ['average', wordSelfPerCall], ['ticks', 'self ticks'], ...chargeHeadings];
const zoneValue = {
  name: r => zoneOf(r.zone).name.toLowerCase(), self: r => r.self, share: r => r.self, hier: r => r.hier, count: r => r.count,
  average: r => r.count > 0 ? r.self / r.count : 0, ticks: r => r.self, ...chargeValues,
};

function drawZones() {
  const wanted = find('find').value.trim().toLowerCase();
  const rows = zoneRows.filter(r => !wanted || (zoneOf(r.zone).name + ' ' + zoneOf(r.zone).place).toLowerCase().includes(wanted));
  rows.sort(comparing(zoneValue[zoneSort.key], zoneSort.down));
  const part = document.createDocumentFragment();
  appendRows(part, rows, showAll, wanted, zoneRow, waits => {
    const sum = key => waits.reduce((all, r) => all + r[key], 0);
    return {zone: -1, count: sum('count'), self: sum('self'), hier: sum('self'), more: nothing};
  });
  find('zones').tBodies[0].replaceChildren(part);
  find('all').hidden = rows.length <= top50;
  find('all').textContent = showAll ? `Show ${top50}` : `Show all ${grouped(rows.length)}`;
}

// appendRows appends the rows of a list, what worked first. Several zones that wait are one row, the sum of them, which opens.
let waitsShown = false;
function appendRows(part, rows, all, wanted, rowOf, sumOf) {
  const waits = rows.filter(r => zoneOf(r.zone).idle), works = rows.filter(r => !zoneOf(r.zone).idle);
  const folds = waits.length > 1 && !wanted, listed = folds ? works : works.concat(waits);
  for (const r of all ? listed : listed.slice(0, top50)) part.append(rowOf(r));
  if (!folds) return;
  const row = rowOf(sumOf(waits)), line = row.querySelector('td.name > div'), fold = make('button', 'fold', waitsShown ? '\u25be' : '\u25b8');
  fold.type = 'button';
  fold.setAttribute('aria-label', waitsShown ? 'fold' : 'unfold');
  line.prepend(fold);
  line.append(make('span', 'state', `${grouped(waits.length)} zones`));
  row.classList.add('waits');
  row.onclick = () => { waitsShown = !waitsShown; drawZones(); drawStatistics(); };
  part.append(row);
  if (waitsShown) for (const r of waits) part.append(rowOf(r));
}

function zoneRow(r) {
  const zone = zoneOf(r.zone), row = make('tr', zone.idle ? 'idle' : ''), name = make('td', 'name'), line = make('div');
  row.dataset.zone = r.zone;
  name.style.setProperty('--level', 0.4);
  zoneLabel(line, zone, signOf(r.zone));
  name.append(line);
  row.append(name, timeCell(r.self, zone.idle || r.zone === 0 ? 0 : r.self / mostOfZones, true), barCell(r.self, r.self, current.whole || 1, zone),
    make('td', '', share(r.self, current.whole)), timed('', r.hier * msPerTick), make('td', '', count(r.count)),
    r.count > 0 ? timed('', r.self * msPerTick / r.count) : make('td', '', '-'), make('td', '', grouped(r.self)), ...chargeCells(r));
  return row;
}

const zoneBody = find('zones').tBodies[0];
zoneBody.onpointerover = e => { const row = e.target.closest('tr'); light(row ? Number(row.dataset.zone) : -1); };
zoneBody.onpointerleave = () => light(-1);
const shownWaits = document.querySelector('#view tr.waits');
if (shownWaits) shownWaits.onclick = () => { shownWaits.parentNode.classList.toggle('open'); };
find('find').oninput = drawZones;
find('all').onclick = () => { showAll = !showAll; drawZones(); };
