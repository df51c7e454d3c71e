// The sections of the program. Each has the statistics of all its frames, also of those that have left the history.
const sectionSort = {key: 'from', down: true}, mostSections = 256;
const sectionColumns = [['from', 'frame'], ['frames', 'frames'], ['average', 'average ms'], ['p99', 'p99 ms'], ['worst', 'worst ms'], ['at', 'worst frame'], ['name', 'section']];
const sectionsOf = () => (data.sections || []).map(([name, from, to, frames, average, p99, worst, at]) => ({name: name.trim() ? name : '(unnamed)', from, to, frames, average, p99, worst, at}));

// reach returns the first and the last frame of a section in the history; null if all have left it.
function reach(s) {
  const first = history.findIndex(f => f.index >= s.from), last = history.findLastIndex(f => f.index <= s.to);
  return first < 0 || last < first ? null : [first, last];
}

// place puts an element over the frames from first to last.
function place(e, [first, last]) {
  e.style.left = 100 * first / history.length + '%';
  e.style.width = 100 * (last + 1 - first) / history.length + '%';
  return e;
}

// drawBands writes the names of sections above their frames.
function drawBands() {
  const seen = sectionsOf().map(s => [s, reach(s)]).filter(([, at]) => at);
  find('bands').hidden = seen.length === 0;
  find('bands').replaceChildren(...seen.map(([s, at]) => {
    const band = place(make('span', '', s.name), at);
    band.title = `section ${s.name}: ${grouped(s.frames)} frames, average ${withUnit(s.average)}, p99 ${withUnit(s.p99)}, worst ${withUnit(s.worst)}`;
    return band;
  }));
}

// drawSections lists the sections. The mouse over one shows its frames in the history, a click its worst frame.
function drawSections() {
  const rows = sectionsOf(), value = s => sectionSort.key === 'name' ? s.name.toLowerCase() : s[sectionSort.key];
  const focused = document.activeElement?.closest?.('#parts tr')?.dataset.from;
  find('sections').hidden = rows.length === 0;
  find('sectionsof').textContent = rows.length < mostSections ? `${rows.length}` : `the newest ${rows.length}`;
  rows.sort(comparing(value, sectionSort.down));
  find('parts').tBodies[0].replaceChildren(...rows.map(s => {
    const row = make('tr'), at = history.findIndex(f => f.index === s.at), frames = reach(s), cell = make('td'), name = make('td', 'name', s.name.slice(0, 200));
    const button = make('button', '', s.at);
    button.type = 'button';
    button.disabled = at < 0;
    button.title = at < 0 ? 'this frame is no longer in the history' : 'show this frame';
    button.onclick = () => { chooseFrame(at); find('plot').scrollIntoView({block: 'nearest'}); };
    cell.append(button);
    row.dataset.from = s.from;
    name.title = s.name;
    row.append(make('td', '', s.from), make('td', '', grouped(s.frames)), make('td', 'main', decimals(s.average)), make('td', '', decimals(s.p99)), make('td', '', decimals(s.worst)), cell, name);
    row.onpointerenter = () => { if (frames) plot.append(place(make('div', 'range'), frames)); };
    row.onpointerleave = () => plot.querySelector('.range')?.remove();
    return row;
  }));
  if (focused) find('parts').querySelector(`tr[data-from="${focused}"] button`)?.focus();
}

heading(find('parts'), sectionColumns, sectionSort, drawSections);
