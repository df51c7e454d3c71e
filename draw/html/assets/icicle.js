// The icicle: each node below its parent, as wide as its hierarchical time.
const icicle = find('icicle');
const leastName = 70; // pixels that a time leaves to a longer name
const leastLetters = 40; // pixels that a cut name needs to be of help
const rowHeight = 21, mostBars = 3000, leastShare = 0.0012;
let bars = []; // {node, element} of what is drawn
let barAt = -1;

// onlyWork says whether the outermost zones that wait are left out, with what lies in them.
const onlyWork = find('onlywork');
onlyWork.onchange = () => drawIcicle(current);
const leftOut = (tree, i, caller) => onlyWork.checked && zoneOf(tree.nodes[i].zone).idle && tree.nodes[caller].parent < 0;

function drawIcicle(tree) {
  icicle.replaceChildren();
  bars = [];
  barAt = -1;
  const kidsIn = i => kidsOf(tree.nodes, i).filter(k => !leftOut(tree, k, i));
  const rootWide = i => { // what waits in a root makes it narrower if it is left out
    const n = tree.nodes[i], sum = list => list.reduce((all, k) => all + tree.nodes[k].hier, 0);
    const all = sum(kidsOf(tree.nodes, i)), busy = sum(kidsIn(i));
    return n.hier - Math.max(0, Math.min(all - busy, n.hier - n.self - busy));
  };
  const widest = i => Math.max(rootWide(i), kidsIn(i).reduce((sum, k) => sum + tree.nodes[k].hier, 0)); // lanes together exceed a root
  const whole = Math.max(1, tree.roots.reduce((sum, i) => sum + widest(i), 0));
  const full = icicle.clientWidth, part = document.createDocumentFragment();
  let deepest = -1, left = 0;
  const todo = [];
  for (const i of tree.roots) {
    todo.push({i, left, wide: rootWide(i)});
    left += widest(i);
  }
  for (let next = 0; next < todo.length && bars.length < mostBars; next++) {
    const {i, left, wide} = todo[next], n = tree.nodes[i];
    if (wide / whole < leastShare) continue;
    deepest = Math.max(deepest, n.level);
    part.append(bar(tree, i, left / whole, wide / whole, full));
    pushBars(todo, tree, i, left);
  }
  icicle.append(part);
  cutTexts();
  icicle.style.height = Math.max(1, deepest + 1) * rowHeight + 'px';
  if (bars.length === 0) icicle.append(make('p', 'empty', 'nothing measured'));
}

// cutTexts removes the times that leave a few letters to a name, and then the names of a few letters. It reads the widths
// that the browser gave the texts in its own fonts, all of them before it changes any.
function cutTexts() {
  const short = least => bars.map(b => b.element).filter(e => {
    const name = e.firstChild;
    return name && name.scrollWidth > name.clientWidth && name.clientWidth < least;
  });
  for (const e of short(leastName)) if (e.children.length > 1) e.lastChild.remove();
  for (const e of short(leastLetters)) {
    e.classList.add('thin');
    e.replaceChildren();
  }
}

// pushBars queues the children of a node from left to right, those that worked first, the largest first.
function pushBars(todo, tree, parent, left) {
  const idle = i => zoneOf(tree.nodes[i].zone).idle;
  for (const i of kidsOf(tree.nodes, parent).sort((a, b) => idle(a) - idle(b) || tree.nodes[b].hier - tree.nodes[a].hier)) {
    if (leftOut(tree, i, parent)) continue;
    todo.push({i, left, wide: tree.nodes[i].hier});
    left += tree.nodes[i].hier;
  }
}

function bar(tree, i, left, width, full) {
  const n = tree.nodes[i], zone = zoneOf(n.zone), e = make('div', n.parent < 0 ? 'root' : zone.idle ? 'idle' : '');
  e.style.left = 100 * left + '%';
  e.style.width = 100 * width + '%';
  e.style.top = n.level * rowHeight + 'px';
  paint(e, zone);
  e.dataset.zone = n.zone;
  const pixels = width * full;
  if (pixels < 34) e.classList.add('thin');
  else e.append(ending('', (n.sign || '') + zone.short));
  const long = tree.whole * msPerTick >= (chosenFrame < 0 ? 1e3 : 1e4); // the heading is in seconds
  if (pixels > 90) e.append(make('span', '', (long ? fit : decimals)(n.hier * msPerTick)));
  const at = bars.push({node: i, element: e}) - 1;
  e.onclick = () => { moveBar(at); revealRow(i); };
  return e;
}

function moveBar(at) {
  if (bars[barAt]) bars[barAt].element.classList.remove('at');
  barAt = at;
  if (!bars[at]) return;
  bars[at].element.classList.add('at');
  bars[at].element.scrollIntoView({block: 'nearest'});
  light(current.nodes[bars[at].node].zone);
}

// neighbour returns the bar that an arrow key leads to from bar at, or -1.
function neighbour(at, key) {
  if (at < 0) return bars.length > 0 ? 0 : -1;
  const up = i => { const p = current.nodes[i].parent; return p >= 0 && current.nodes[p].waiting ? current.nodes[p].parent : p; };
  const from = bars[at].node, parent = up(from);
  if (key === 'ArrowUp') return bars.findIndex(b => b.node === parent);
  if (key === 'ArrowDown') return bars.findIndex(b => up(b.node) === from);
  const siblings = bars.map((b, i) => i).filter(i => up(bars[i].node) === parent);
  return siblings[siblings.indexOf(at) + (key === 'ArrowRight' ? 1 : -1)] ?? -1;
}

icicle.onkeydown = e => {
  if (e.key === 'Enter' && barAt >= 0) { revealRow(bars[barAt].node); e.preventDefault(); }
  if (!e.key.startsWith('Arrow')) return;
  e.preventDefault();
  const to = neighbour(barAt, e.key);
  if (to >= 0) moveBar(to);
};
icicle.onpointermove = e => {
  const found = bars.find(b => b.element === e.target.closest('#icicle > div'));
  if (!found) { hideTip(); light(-1); return; }
  const n = current.nodes[found.node], zone = zoneOf(n.zone);
  light(n.zone);
  showTip(e.clientX, e.clientY, [(n.sign || '') + zone.name, fit(n.hier * msPerTick)],
    [['self', fit(n.self * msPerTick)], [wordCount, count(n.count)], ['share', share(n.hier, current.whole)]].concat(zone.place ? [[zone.place, '']] : []));
};
icicle.onpointerleave = () => { hideTip(); light(-1); };
