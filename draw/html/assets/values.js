// What nodes did besides taking time, and the numbers of frames as a whole.
const numbersOf = ([allocs, allocBytes, frees, freeBytes, units, heapObjects, heapBytes]) =>
  ({allocs, allocBytes, frees, freeBytes, units, heapObjects, heapBytes});
const nothing = numbersOf([0, 0, 0, 0, 0, 0, 0]);
const anyNode = test => (data.trees[0].m || []).some(([, ...n]) => test(numbersOf(n)));

// chargeColumns are those of the kinds that the run has: key, heading, value, cell.
const chargeColumns = [
  [anyNode(n => n.allocs > 0 || n.allocBytes > 0), 'alloc', 'allocated', n => n.more.allocBytes, n => counted(n.more.allocBytes, n.more.allocs, 'allocs')],
  [anyNode(n => n.frees > 0 || n.freeBytes > 0), 'free', 'freed', n => n.more.freeBytes, n => counted(n.more.freeBytes, n.more.frees, 'frees')],
  [anyNode(n => n.heapBytes > 0 || n.heapObjects > 0), 'heap', '~heap', n => n.more.heapBytes, n => counted(n.more.heapBytes, n.more.heapObjects, 'objects, about')],
  [anyNode(n => n.units > 0), 'units', 'units', n => n.more.units, n => make('td', '', n.more.units > 0 ? count(n.more.units) : '')],
  [anyNode(n => n.units > 0), 'unit', 'per unit', n => perUnit(n), n => make('td', '', n.more.units > 0 ? fit(perUnit(n)) : '')],
].filter(([any]) => any);

const perUnit = n => n.more.units > 0 ? n.hier * msPerTick / n.more.units : 0;

// counted shows bytes, and how many pieces they are when hovered.
function counted(n, pieces, word) {
  const cell = make('td', '', pieces > 0 || n > 0 ? bytes(n) : '');
  if (cell.textContent) cell.title = count(pieces) + ' ' + word;
  return cell;
}

const chargeHeadings = chargeColumns.map(([, key, title]) => [key, title]);
const chargeValues = Object.fromEntries(chargeColumns.map(([, key, , value]) => [key, value]));
const chargeCells = n => chargeColumns.map(([, , , , cell]) => cell(n));

// The table of the frames' numbers.
const inUnit = (v, unit) => unit === 1 ? bytes(Math.round(v)) : unit === 2 ? fit(v) : Number.isInteger(v) ? count(v) : String(Number(v.toPrecision(4)));

function drawValues() {
  const frame = currentKey.startsWith('frame') ? chosenFrame : -1, part = document.createDocumentFragment();
  find('values').hidden = data.values.length === 0;
  for (const [name, kind, unit, total, mean, most, perFrame] of data.values) {
    const row = make('tr'), cell = make('td', 'name'), line = make('div');
    line.append(make('span', 'text', (name.trim() ? name : '(unnamed)').slice(0, 200)));
    line.title = name.slice(0, 400);
    if (kind === 2) line.append(make('span', 'state', 'level'));
    cell.append(line);
    const here = frame >= 0 ? perFrame[perFrame.length - history.length + frame] : null;
    row.append(cell, make('td', 'main', here === null || here === undefined ? '' : inUnit(here, unit)), make('td', '', inUnit(total, unit)),
      make('td', '', inUnit(mean, unit)), make('td', '', inUnit(most, unit)), lineCell(perFrame));
    part.append(row);
  }
  find('numbers').tBodies[0].replaceChildren(part);
}

// The table of the go statements of a program that iprof run has built.
function drawForks() {
  find('forks').hidden = data.forks.length === 0;
  find('starts').tBodies[0].replaceChildren();
  for (const [place, path, paths, goroutines, own, forked, waited] of data.forks) {
    const row = make('tr'), where = path + (paths > 1 ? `, and ${paths - 1} more` : '');
    row.append(make('td', 'name', place.slice(0, 200)), make('td', '', count(goroutines)), make('td', '', decimals(own)),
      make('td', 'main', decimals(forked)), make('td', '', decimals(waited)), make('td', 'name', where.slice(0, 400)));
    find('starts').tBodies[0].append(row);
  }
}

// drawSlowCalls lists the calls that took far longer than their zone's calls do. Each is a bar of what it called, and below
// it the usual call as a ghost to the same scale. What the reader has opened stays open.
function drawSlowCalls() {
  const calls = data.slow || [], opened = new Set([...document.querySelectorAll('#slowcalls details[open]')].map(e => e.dataset.key));
  const at = document.activeElement?.parentElement?.dataset.key;
  find('slow').hidden = calls.length === 0;
  find('slowof').textContent = calls.length < data.slowSeen ? `the newest ${calls.length} of ${count(data.slowSeen)}` : `${calls.length}`;
  find('slowcalls').replaceChildren(...calls.map(([text, frame, lane, ago, zone, time, usual, parts]) => {
    const e = make('details'), line = make('summary'), picture = make('div', 'drawn');
    e.dataset.key = [frame, lane, zone, time].join();
    e.open = opened.has(e.dataset.key);
    line.append(text + ' ', make('small', '', `${ago.toFixed(0)} s ago · frame ${frame} · ${lane}`));
    picture.append(make('b', '', `this call ${withUnit(time)}`), callBar(time, parts));
    if (usual > 0) {
      const ghost = make('div', 'bar ghost'), whole = make('span', 'cause', '');
      whole.style.width = usual / time * 100 + '%';
      whole.style.setProperty('--part', '#' + zoneOf(zone).color);
      ghost.append(whole);
      picture.append(make('b', '', `usually ${withUnit(usual)}`), ghost);
    }
    for (const [z, level, n, ms] of parts) {
      const p = make('p', '', `${zoneOf(z).short} ${withUnit(ms)}${n > 1 ? ` in ${count(n)} calls` : ''}`);
      p.style.paddingLeft = 12 * Math.min(level, 10) + 'px';
      picture.append(p);
    }
    e.append(line, picture);
    return e;
  }));
  if (at) [...find('slowcalls').children].find(e => e.dataset.key === at)?.firstChild.focus();
}

// callBar draws a call to its own scale: what it called itself, and the rest.
function callBar(time, parts) {
  const bar = make('div', 'bar');
  let left = 0;
  for (const [z, level, , ms] of parts) {
    if (level > 0) continue;
    const wide = ms / time * 100, e = make('span', 'cause', wide > 8 ? zoneOf(z).short : '');
    e.style.left = left + '%';
    e.style.width = wide + '%';
    e.style.setProperty('--part', '#' + zoneOf(z).color);
    e.title = `${zoneOf(z).short}: ${withUnit(ms)}`;
    bar.append(e);
    left += wide;
  }
  return bar;
}

// lineCell draws a number of each frame, as high as the cell at its greatest.
function lineCell(values) {
  const cell = make('td', 'line'), at = values.map((v, i) => [i, v]).filter(([, v]) => v !== null);
  if (at.length < 2) return cell;
  const low = Math.min(0, ...at.map(([, v]) => v)), high = Math.max(low + 1e-9, ...at.map(([, v]) => v));
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), line = document.createElementNS(svg.namespaceURI, 'polyline');
  svg.setAttribute('viewBox', `0 0 ${values.length} 20`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('points', at.map(([i, v]) => `${i + 0.5},${(19 - 18 * (v - low) / (high - low)).toFixed(2)}`).join(' '));
  svg.append(line);
  cell.append(svg);
  return cell;
}
