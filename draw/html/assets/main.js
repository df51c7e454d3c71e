// What is shown: the tree of a lane or of a frame.
const tabs = find('tabs');

function drawTabs() {
  const keys = data.trees.map((t, i) => i);
  const tab = (key, title) => {
    const b = make('button', '', title);
    b.type = 'button';
    b.title = title;
    b.setAttribute('role', 'tab');
    b.setAttribute('aria-selected', key === currentKey);
    b.tabIndex = key === currentKey ? 0 : -1;
    b.onclick = () => { if (key.startsWith('lane')) chosenFrame = -1; if (history.length > 0) markFrame(); show(key); tabs.querySelector('[aria-selected=true]').focus(); };
    return b;
  };
  const list = keys.map(i => tab('lane:' + i, data.trees[i].name || '(unnamed)'));
  if (currentKey.startsWith('frame')) list.push(tab(currentKey, 'frame ' + currentKey.slice(6)));
  tabs.replaceChildren(...list);
}

// The verdict: one line that explains the frame shown, or the slowest of the run. It keeps its place where it has nothing to say.
const verdict = find('verdict');

function drawVerdict(frame) {
  const kept = frame ? data.frames.find(f => f.i === frame.index) : null, why = frame ? kept && kept.why : data.why;
  verdict.hidden = !data.why && !data.frames.some(f => f.why);
  verdict.replaceChildren();
  if (!why) return;
  const b = make('button', '', why[0]);
  b.type = 'button';
  b.disabled = frame ? !kept || !current.nodes[why[1]] : !history.some(f => f.index === why[1]);
  b.title = b.disabled ? (frame ? 'its row is not in the page' : 'this frame is no longer in the history') : frame ? 'show its row' : 'show the frame';
  b.onclick = () => {
    const at = history.findIndex(f => f.index === why[1]);
    if (!frame && at >= 0) { chooseFrame(at); verdict.querySelector('button')?.focus(); } else if (frame && current.nodes[why[1]]) revealRow(why[1]);
  };
  verdict.append(b);
  const of = frame ? frame.index : why[1], drawn = data.frames.find(f => f.i === of)?.drawn, shown = history.find(f => f.index === of);
  if (drawn && shown) verdict.append(drawnVerdict(of, shown.length, ...drawn));
  if (kept && current.nodes[why[1]]) point(why[1]);
}

// drawnVerdict draws a verdict: the frame as a bar of its parts, the usual frame below it as a ghost to the same scale, and
// between the two what is over the usual. Causes are bright, and are named with their places below.
function drawnVerdict(index, time, usual, parts, waits) {
  const scale = 100 / Math.max(time, usual, 1e-9), picture = make('div', 'drawn');
  const named = p => p[0] === -2 ? 'others' : p[0] === 0 ? 'outside all zones' : zoneOf(p[0]).short;
  const often = n => n > 1.5 ? ` in ${n.toFixed(0)} calls` : '';
  const row = (title, ghost) => {
    const bar = make('div', ghost ? 'bar ghost' : 'bar');
    let left = 0;
    for (const p of parts) {
      const wide = (ghost ? p[2] : p[1]) * scale;
      if (!(wide > 0)) continue;
      const e = make('span', p[3] ? 'cause' : '', p[3] || wide > 12 ? named(p) : '');
      e.style.left = left + '%';
      e.style.width = wide + '%';
      e.style.setProperty('--part', '#' + (p[0] > 0 && !p[6] ? zoneOf(p[0]).color : '8b949e'));
      e.title = `${named(p)}: ${withUnit(ghost ? p[2] : p[1])}${often(ghost ? p[5] : p[4])}`;
      bar.append(e);
      left += wide;
    }
    picture.append(make('b', '', title), bar);
    return bar;
  };
  const bar = row(`frame ${index} ${withUnit(time)}`, false);
  if (usual > 0) {
    row(`usually ${withUnit(usual)}`, true);
    if (time > usual) {
      const over = make('i', 'excess', `+${decimals(time - usual)}`);
      over.style.left = usual * scale + '%';
      over.style.width = (time - usual) * scale + '%';
      bar.append(over);
    }
  }
  for (const p of parts) {
    if (!p[3]) continue;
    const z = zoneOf(p[0]), line = make('p', '', `${named(p)} ${withUnit(p[1])}${often(p[4])}, usually ${decimals(p[2])}${often(p[5])}`);
    if (z.place && p[0] > 0) line.append(make('small', '', z.place.split('/').pop()));
    if (waits[p[3] - 1]) line.append(make('small', 'wait', waits[p[3] - 1]));
    picture.append(line);
  }
  waits.forEach((w, i) => { if (w && !parts.some(p => p[3] === i + 1)) picture.append(make('p', 'wait', w)); });
  return picture;
}

// point highlights node i, row and bar, and scrolls nothing.
function point(i) {
  for (let at = current.nodes[i].parent; at >= 0; at = current.nodes[at].parent) current.opened.add(at);
  drawTree(i);
  moveRow(i, false);
  barAt = bars.findIndex(b => b.node === i);
  if (barAt >= 0) bars[barAt].element.classList.add('at');
}

const noTree = {title: '', nodes: [], roots: [], mostSelf: 0, mostHier: 0, sum: 0, whole: 0, opened: new Set()};

// partsOf are the parts of a frame's length, as in the window.
const partsOf = f => {
  const waiting = Math.max(0, f.length - f.busy - f.blocked), all = [`${decimals(f.busy)} busy`];
  if (f.blocked > 0) all.push(`${decimals(f.blocked)} blocked`);
  if (!(f.blocked > 0) || waiting >= 0.05) all.push(`${decimals(waiting)} waiting`);
  return all.join(' + ');
};

// waitsOf are the waits of all goroutines in a frame, as in the window: those of at least 5 % of it. A sum above the
// frame's length is given as the goroutines that waited at once, on average.
const waitsOf = f => [['runnable', f.runnable], ['locks', f.locks]].filter(w => w[1] >= 0.05 && w[1] >= 0.05 * f.length)
  .map(([name, ms]) => ms > f.length ? `${name} ~${atOnce(ms / f.length)} goroutines` : `${name} ~${ms.toFixed(1)} ms`)
  .join(' \u00b7 ').replace(/ (ms|goroutines)(?= \u00b7 .* \1$)/, '');
const atOnce = n => n.toFixed(n >= 9.95 ? 0 : 1);

// drawFramed puts the length of the frame shown into the header, in the place of the run's.
function drawFramed(frame) {
  find('framed').hidden = !frame;
  find('run').hidden = !!frame;
  find('ofrun').classList.toggle('away', !frame); // keeps its place, so that nothing moves
  if (!frame) return;
  find('framed').className = 'big ' + (frame.busy + frame.blocked > 2 * data.budget && data.budget > 0 ? 'far' : frame.over || frame.waited ? 'over' : '');
  find('framed').firstChild.textContent = 'frame ' + frame.index;
  const [length, unit] = inTimeUnit(frame.length);
  find('framed').lastChild.replaceChildren(length, make('small', '', ` ${unit}${frame.waited ? ', waited' : ''}`));
}

// show shows the tree of a lane or a frame in the icicle and the table.
function show(key) {
  currentKey = key;
  current = treeOf(key) || noTree;
  rowAt = -1;
  rowLimit = rowPage;
  const frame = key.startsWith('frame') ? history[chosenFrame] : null;
  find('what').replaceChildren('call structure of ', make('b', '', subject(key)));
  find('waits').textContent = frame && waitsOf(frame) ? `all goroutines: ${waitsOf(frame)}` : '';
  find('length').replaceChildren(make('b', '', frame ? `${withUnit(frame.length)} = ${partsOf(frame)}` : fit(current.whole * msPerTick)));
  drawFramed(frame);
  drawTabs();
  drawIcicle(current);
  drawTree();
  takeZones(current, key);
  takeTimeline(frame);
  drawVerdict(frame);
  drawValues();
  if (frame && current === noTree) {
    const text = 'The tree of this frame was not kept. The blue marks below the history say which were.';
    icicle.replaceChildren(make('p', 'empty', text));
    icicle.style.height = 'auto';
    find('more').replaceChildren();
  }
}

tabs.onkeydown = e => {
  const step = {ArrowLeft: -1, ArrowRight: 1}[e.key], all = [...tabs.children], at = all.indexOf(document.activeElement);
  if (!step || at < 0) return;
  const to = (at + step + all.length) % all.length;
  all[to].click();
};

document.onkeydown = e => {
  const typing = e.target instanceof HTMLInputElement;
  if (e.key === '/' && !typing && !e.ctrlKey && !e.metaKey) { e.preventDefault(); find('filter').focus(); }
  if (e.key !== 'Escape') return;
  if (typing && e.target.value) { e.target.value = ''; e.target.dispatchEvent(new Event('input')); } else chooseFrame(-1);
};

heading(find('tree'), treeColumns, sort, () => drawTree());
heading(find('zones'), zoneColumns, zoneSort, () => drawZones());
heading(find('spreads'), [['name', 'zone'], ['count', 'frames'], ...statNames.map(n => [n, n]), ...(countsCalls ? [['', '']] : [])], statSort, drawStatistics);
find('kept').textContent = data.kept;
drawHistory();
drawForks();
drawSlowCalls();
drawSections();
show('lane:0');
document.documentElement.dataset.ready = 'yes';
