// The icicle: each node below its parent, as wide as its hierarchical time.
const icicle = find('icicle');
const rowHeight = 21, mostBars = 3000, leastShare = 0.0012;
let bars = []; // {node, element} of what is drawn
let barAt = -1;

function drawIcicle(tree) {
  icicle.replaceChildren();
  bars = [];
  barAt = -1;
  const below = tree.roots.map(i => tree.nodes[i]);
  const widest = n => Math.max(n.hier, n.kids.reduce((sum, i) => sum + tree.nodes[i].hier, 0)); // lanes together exceed a root
  const whole = Math.max(1, below.reduce((sum, n) => sum + widest(n), 0));
  const full = icicle.clientWidth, part = document.createDocumentFragment();
  let deepest = -1;
  const todo = [];
  pushBars(todo, tree, tree.roots, 0);
  for (let next = 0; next < todo.length && bars.length < mostBars; next++) {
    const {i, left} = todo[next], n = tree.nodes[i];
    if (n.hier / whole < leastShare) continue;
    deepest = Math.max(deepest, n.level);
    part.append(bar(tree, i, left / whole, n.hier / whole, full));
    pushBars(todo, tree, n.kids, left);
  }
  icicle.append(part);
  icicle.style.height = Math.max(1, deepest + 1) * rowHeight + 'px';
  if (bars.length === 0) icicle.append(make('p', 'empty', 'nothing measured'));
}

// pushBars queues siblings from left to right, largest first.
function pushBars(todo, tree, siblings, left) {
  for (const i of siblings.slice().sort((a, b) => tree.nodes[b].hier - tree.nodes[a].hier)) {
    todo.push({i, left});
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
  else e.append(make('span', '', (n.sign || '') + zone.name));
  if (pixels > 90) e.append(make('span', '', decimals(n.hier * msPerTick)));
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
  const from = bars[at].node, parent = current.nodes[from].parent;
  if (key === 'ArrowUp') return bars.findIndex(b => b.node === parent);
  if (key === 'ArrowDown') return bars.findIndex(b => current.nodes[b.node].parent === from);
  const siblings = bars.map((b, i) => i).filter(i => current.nodes[bars[i].node].parent === parent);
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
