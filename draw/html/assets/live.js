// A page that is live asks its program for what is new, four times a second. It rests while the reader looks closer: while
// the mouse is over it, a frame is chosen, or another page hides it. Then it has the trees and timelines of all frames.
const state = find('live').querySelector('b'), everyMs = 250, mostMs = 8000;
let over = false, asking = false, failures = 0, later = 0, whole = true;

// The command has the address under which the reader has opened the page. The program behind a proxy may not know it.
const command = find('live').querySelector('code'), outside = location.href.match(/^https?:[\w\/.:~%[\]-]+(?=\/debug\/iprof\/$)/);
if (outside && command.textContent) command.textContent = 'iprof view ' + outside[0];

const resting = () => over || document.hidden || chosenFrame >= 0;

// follow asks once, and then again a while later.
async function follow() {
  clearTimeout(later);
  if (asking) return;
  asking = true;
  const all = resting(); // once: then it rests
  try {
    if (!all || !whole) takeNow(await ask(all), all);
    failures = 0;
  } catch {
    failures++;
  }
  asking = false;
  tell();
  if (!document.hidden) later = setTimeout(follow, Math.min(everyMs * 2 ** failures, mostMs));
}

async function ask(all) {
  const answer = await fetch(find('live').dataset.ask + (all ? '?all' : ''), {cache: 'no-store', redirect: 'error'});
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

const tell = () => {
  state.className = failures > 0 ? 'lost' : resting() ? '' : 'on';
  state.textContent = failures > 0 ? 'not connected' : chosenFrame >= 0 ? 'paused: a frame is shown, Esc goes on' : over ? 'paused: the mouse is over the page' : 'live';
};

// takeNow shows what is new. What the reader has folded, sorted and filtered stays so.
function takeNow(next, all) {
  if (chosenFrame >= 0 && !all) return; // it was chosen meanwhile
  const frame = chosenFrame >= 0 ? history[chosenFrame].index : -1, title = current.title, shown = currentKey, at = pathOf(current, rowAt);
  const paths = openedPaths();
  whole = all;
  if (!all) for (const part of ['frames', 'timelines', 'pictures', 'laneNames', 'kept']) next.data[part] = data[part];
  read(next.data);
  readStatistics();
  readTimelines();
  chosenFrame = history.findIndex(f => f.index === frame);
  shownFrame = -1;
  hideTip();
  showFacts(next.facts, next.run, next.warnings);
  drawHistory();
  drawForks();
  drawSlowCalls();
  drawSections();
  drawStatistics();
  find('kept').textContent = data.kept;
  const lane = shown === 'lane:0' ? 0 : data.trees.findIndex((t, i) => i > 0 && (t.name || '(unnamed)') === title);
  const key = chosenFrame >= 0 ? 'frame:' + frame : 'lane:' + Math.max(0, lane), tree = treeOf(key);
  if (tree && paths) tree.opened = new Set([...tree.nodes.keys()].filter(i => paths.has(pathOf(tree, i))));
  show(key);
  rowAt = current.nodes.findIndex((n, i) => at !== '' && pathOf(current, i) === at);
  if (rowOf(rowAt)) moveRow(rowAt, false);
}

// pathOf names a node by the zones from the root to it.
const pathOf = (tree, i) => i < 0 || !tree.nodes[i] ? '' : pathOf(tree, tree.nodes[i].parent) + '/' + tree.nodes[i].zone;

// openedPaths are the nodes that the reader has opened; null if they are those that open by themselves.
function openedPaths() {
  const first = firstOpened(current), opened = current.opened || first;
  if (opened.size === first.size && [...opened].every(i => first.has(i))) return null;
  return new Set([...opened].map(i => pathOf(current, i)));
}

// showFacts renews the header and the warnings.
function showFacts(facts, run, warnings) {
  for (const e of document.querySelectorAll('dl > div:not([id])')) e.remove();
  find('framed').before(...facts.map(([name, value, unit]) => {
    const fact = make('div'), cell = make('dd', '', value);
    if (unit) cell.append(' ', make('small', '', unit));
    fact.append(make('dt', '', name), cell);
    return fact;
  }));
  find('run').lastElementChild.replaceChildren(run[0] + ' ', make('small', '', run[1]));
  for (const e of document.querySelectorAll('body > .warning')) e.remove();
  document.querySelector('main').before(...warnings.map(text => {
    const e = make('p', 'warning', text);
    e.setAttribute('role', 'note');
    e.dir = 'auto';
    return e;
  }));
}

document.documentElement.onpointerenter = e => { if (e.pointerType === 'mouse') { over = true; follow(); } };
document.documentElement.onpointerleave = () => { over = false; follow(); };
document.onvisibilitychange = follow;
follow();
