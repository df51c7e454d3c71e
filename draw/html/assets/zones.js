// The list of zones, largest self time first.
const top50 = 50;
let showAll = false;
const zoneSort = {key: 'self', down: true};
const zoneRows = data.top.map(([zone, entries, self, hier, more]) => ({zone, count: entries, self, hier, more: more ? numbersOf(more) : nothing}));
const selfOfAll = zoneRows.reduce((sum, r) => sum + r.self, 0);
const mostOfZones = zoneRows.reduce((most, r) => zoneOf(r.zone).idle || r.zone === 0 ? most : Math.max(most, r.self), 1);
const zoneColumns = [['name', 'zone'], ['self', 'self'], ['', ''], ['share', '%'], ['hier', 'hierarchical'], ['count', 'calls'], ['average', 'self per call'], ['ticks', 'self ticks'], ...chargeHeadings];
const zoneValue = {
  name: r => zoneOf(r.zone).name.toLowerCase(), self: r => r.self, share: r => r.self, hier: r => r.hier, count: r => r.count,
  average: r => r.count > 0 ? r.self / r.count : 0, ticks: r => r.self, ...chargeValues,
};

function drawZones() {
  const wanted = find('find').value.trim().toLowerCase();
  const rows = zoneRows.filter(r => !wanted || (zoneOf(r.zone).name + ' ' + zoneOf(r.zone).place).toLowerCase().includes(wanted));
  rows.sort(comparing(zoneValue[zoneSort.key], zoneSort.down));
  const part = document.createDocumentFragment();
  for (const r of showAll ? rows : rows.slice(0, top50)) part.append(zoneRow(r));
  find('zones').tBodies[0].replaceChildren(part);
  find('all').hidden = rows.length <= top50;
  find('all').textContent = showAll ? `Show ${top50}` : `Show all ${grouped(rows.length)}`;
}

function zoneRow(r) {
  const zone = zoneOf(r.zone), row = make('tr', zone.idle ? 'idle' : ''), name = make('td', 'name'), line = make('div');
  row.dataset.zone = r.zone;
  name.style.setProperty('--level', 0.4);
  zoneLabel(line, zone, signOf(r.zone));
  name.append(line);
  row.append(name, timeCell(r.self, zone.idle || r.zone === 0 ? 0 : r.self / mostOfZones, true), barCell(r.self, r.self, selfOfAll, zone),
    make('td', '', percent(r.self, selfOfAll)), make('td', '', fit(r.hier * msPerTick)), make('td', '', count(r.count)),
    make('td', '', r.count > 0 ? fit(r.self * msPerTick / r.count) : '-'), make('td', '', grouped(r.self)), ...chargeCells(r));
  return row;
}

const zoneBody = find('zones').tBodies[0];
zoneBody.onpointerover = e => { const row = e.target.closest('tr'); light(row ? Number(row.dataset.zone) : -1); };
zoneBody.onpointerleave = () => light(-1);
find('find').oninput = drawZones;
find('all').onclick = () => { showAll = !showAll; drawZones(); };
