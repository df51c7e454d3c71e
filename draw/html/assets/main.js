// What is shown: the tree of a lane or of a frame.
const tabs = find('tabs');

function drawTabs() {
  const keys = data.trees.length === 2 ? [0] : data.trees.map((t, i) => i); // a single lane is all lanes
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

const noTree = {title: '', nodes: [], roots: [], mostSelf: 0, mostHier: 0, sum: 0, whole: 0, opened: new Set()};

// show shows the tree of a lane or a frame in the icicle and the table.
function show(key) {
  currentKey = key;
  current = treeOf(key) || noTree;
  rowAt = -1;
  rowLimit = rowPage;
  const frame = key.startsWith('frame') ? history[chosenFrame] : null;
  find('what').replaceChildren('call structure of ', make('b', '', frame ? 'frame ' + frame.index : key === 'lane:0' ? 'the whole run' : current.title));
  find('length').replaceChildren(make('b', '', frame ? fit(frame.length) : fit(current.whole * msPerTick)));
  drawTabs();
  drawIcicle(current);
  drawTree();
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
heading(find('spreads'), [['name', 'zone'], ['count', 'frames'], ...statNames.map(n => [n, n])], statSort, drawStatistics);
drawHistory();
show('lane:0');
drawZones();
document.documentElement.dataset.ready = 'yes';
