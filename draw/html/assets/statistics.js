// Statistics of each zone since start or Reset: of its time per frame, and of single calls where these are counted.
const statKinds = [['self', 'self per frame'], ['hier', 'with callees, per frame'], ['call', 'single calls']];
const statNames = ['min', 'average', 'max', 'deviation', 'p50', 'p90', 'p99', 'p99.9'];
const noTimes = statNames.map(() => null);
const milliseconds = times => statNames.map((_, i) => times[i] == null ? null : times[i] / 1000);
let statRows;

// readStatistics makes the rows.
function readStatistics() {
  statRows = data.stats.map(([zone, frames, self, hier, counted = 0, missing = 0, call = noTimes, bars = []]) =>
    ({zone, counted, missing, frames, bars,
      times: {self: milliseconds(self), hier: milliseconds(hier || self), call: milliseconds(call)}}));
  find('statistics').hidden = statRows.length === 0;
}
readStatistics();

// A server's routes count their calls: then these are shown first.
const countsCalls = statRows.some(r => r.bars.length > 0);
const statSort = {key: countsCalls ? 'p99' : 'average', down: true};
let statKind = countsCalls ? 'call' : 'self', allStats = false;

const statCount = r => statKind === 'call' ? r.counted : r.frames;
const statValue = {name: r => zoneOf(r.zone).name.toLowerCase(), count: statCount};
statNames.forEach((name, i) => { statValue[name] = r => r.times[statKind][i]; });

// comparingKnown is comparing, with those that have no value last either way.
function comparingKnown(value, down) {
  const order = comparing(value, down);
  return (a, b) => {
    const none = (value(a) === null) - (value(b) === null);
    return none || order(a, b);
  };
}

function drawStatistics() {
  if (!find('spread').open) return; // drawn when it is opened
  const wanted = find('seek').value.trim().toLowerCase();
  const rows = statRows.filter(r => !wanted || (zoneOf(r.zone).name + ' ' + zoneOf(r.zone).place).toLowerCase().includes(wanted));
  rows.sort(comparingKnown(statValue[statSort.key], statSort.down));
  const part = document.createDocumentFragment();
  appendRows(part, rows, allStats, wanted, statRow, () => ({zone: -1, counted: 0, missing: 0, frames: 0, bars: [], times: {self: noTimes, hier: noTimes, call: noTimes}}));
  find('spreads').tBodies[0].replaceChildren(part);
  find('alls').hidden = rows.length <= top50;
  find('alls').textContent = allStats ? `Show ${top50}` : `Show all ${grouped(rows.length)}`;
  find('spreads').querySelector('[data-key=count] button').textContent = statKind === 'call' ? 'calls' : 'frames';
  for (const b of find('kinds').children) b.setAttribute('aria-pressed', b.dataset.kind === statKind);
}

function statRow(r) {
  const zone = zoneOf(r.zone), row = make('tr', zone.idle ? 'idle' : ''), name = make('td', 'name'), line = make('div');
  row.dataset.zone = r.zone;
  name.style.setProperty('--level', 0.4);
  zoneLabel(line, zone, signOf(r.zone));
  name.append(line);
  const calls = statKind === 'call', cell = make('td', '', r.zone === -1 || calls && r.counted + r.missing === 0 ? '-' : grouped(statCount(r)));
  if (calls && r.missing > 0) {
    cell.textContent += ` of ${grouped(r.counted + r.missing)}`;
    cell.title = `${grouped(r.missing)} calls could not be counted`;
  }
  row.append(name, cell, ...r.times[statKind].map((ms, i) => make('td', statNames[i] === 'average' ? 'main' : '', ms === null ? '-' : fit(ms))));
  if (countsCalls) row.append(durations(calls ? r : {bars: []}));
  return row;
}

// durations draws the distribution of single calls, from the shortest to the longest.
function durations(r) {
  const cell = make('td', 'bars'), most = Math.max(1, ...r.bars);
  for (const n of r.bars) {
    const bar = make('i');
    bar.style.setProperty('height', n === 0 ? '0' : `${Math.max(1, 18 * n / most)}px`);
    cell.append(bar);
  }
  if (r.bars.length > 0) cell.title = `single calls from ${fit(r.times.call[0])} to ${fit(r.times.call[2])}, a logarithmic scale`;
  return cell;
}

find('spread').open = countsCalls;
find('spread').ontoggle = drawStatistics;
find('seek').oninput = drawStatistics;
find('alls').onclick = () => { allStats = !allStats; drawStatistics(); };
for (const [kind, title] of statKinds) {
  const b = make('button', '', title);
  b.type = 'button';
  b.dataset.kind = kind;
  b.onclick = () => { statKind = kind; drawStatistics(); };
  find('kinds').append(b);
}
const statBody = find('spreads').tBodies[0];
statBody.onpointerover = e => { const row = e.target.closest('tr'); light(row ? Number(row.dataset.zone) : -1); };
statBody.onpointerleave = () => light(-1);
