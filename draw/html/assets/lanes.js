// The lanes of a frame's timeline: what was in which zone when. timeline.js draws them.
const unitsPerMs = 1e5, mostLevels = 64;
let timelineData;
const readTimelines = () => { timelineData = new Map(data.timelines.map(t => [t.i, t])); };
readTimelines();
const openCrowds = new Set(); // go statements whose goroutines are shown one by one

// readLane makes rows of scopes, one for each level. The scopes of a row are in order and do not overlap.
function readLane([name, device, from, numbers, remarks]) {
  const [title, crowd] = data.laneNames[name];
  const lane = {name: device && title !== 'GPU' ? 'GPU ' + title : title || '(unnamed)', crowd, from: from / unitsPerMs, rows: [], deeper: 0}, said = new Map(remarks);
  for (let i = 0, begin = 0; i < numbers.length; i += 4) {
    const [after, length, zone, how] = numbers.slice(i, i + 4), level = how >> 2;
    begin += after;
    if (level >= mostLevels) { lane.deeper++; continue; }
    while (lane.rows.length <= level) lane.rows.push([]);
    lane.rows[level].push({begin: begin / unitsPerMs, end: (begin + length) / unitsPerMs, zone, before: (how & 2) > 0, after: (how & 1) > 0, said: said.get(i / 4)});
  }
  return lane;
}

// bandsOf puts the lanes of one go statement below a band of their own, which is folded at first.
function bandsOf(lanes) {
  const crowds = new Map(), bands = [];
  for (const lane of lanes) if (lane.crowd) crowds.set(lane.crowd, [...(crowds.get(lane.crowd) || []), lane]);
  for (const lane of lanes) {
    const all = crowds.get(lane.crowd) || [];
    if (all.length < 2) { bands.push({name: lane.name, lane, levels: Math.max(1, lane.rows.length)}); continue; }
    if (all[0] !== lane) continue;
    const open = openCrowds.has(lane.crowd);
    bands.push({name: lane.crowd, crowd: lane.crowd, of: all, open, levels: open ? 1 : 2, busy: busyOf(all)});
    if (open) for (const l of all) bands.push({name: l.name.slice(l.crowd.length + 1), lane: l, inside: true, levels: Math.max(1, l.rows.length)});
  }
  return bands;
}

// busyOf returns [time, lanes] at each change of the number of lanes that are in a zone that does not wait.
function busyOf(lanes) {
  const steps = [];
  for (const lane of lanes) {
    const outer = lane.rows[0] || [];
    for (const s of outer) if (!zoneOf(s.zone).idle) steps.push([s.begin, 1], [s.end, -1]);
    for (const row of lane.rows.slice(1)) for (const s of row) {
      if (zoneOf(s.zone).idle && !waitsAbove(lane, row, s)) steps.push([s.begin, -1], [s.end, 1]);
    }
  }
  steps.sort((a, b) => a[0] - b[0]);
  const busy = [];
  let now = 0;
  for (const [at, step] of steps) {
    now += step;
    if (busy.length > 0 && busy[busy.length - 1][0] === at) busy[busy.length - 1][1] = now; else busy.push([at, now]);
  }
  return busy;
}

// waitsAbove reports whether a scope is inside another that waits.
const waitsAbove = (lane, row, s) => lane.rows.slice(0, lane.rows.indexOf(row)).some(r => {
  const around = scopeAt(r, s.begin);
  return around && zoneOf(around.zone).idle;
});

// firstEnding returns the index of the first scope of a row that ends after a time.
function firstEnding(row, ms) {
  let low = 0, high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle].end > ms) high = middle; else low = middle + 1;
  }
  return low;
}

// scopeAt returns the scope of a row at a time, or the longest within a distance of it.
function scopeAt(row, ms, near = 0) {
  let best = null;
  for (let i = firstEnding(row, ms - near); i < row.length && row[i].begin <= ms + near; i++) {
    const s = row[i];
    if (s.begin <= ms && ms < s.end && s.end - s.begin > 2 * near) return s;
    if (!best || s.end - s.begin > best.end - best.begin) best = s;
  }
  return near > 0 || (best && best.begin <= ms && ms < best.end) ? best : null;
}

// lanesAt returns how many lanes of a folded band are busy at a time.
function lanesAt(busy, ms) {
  let n = 0;
  for (const [at, lanes] of busy) { if (at > ms) break; n = lanes; }
  return n;
}

// nodeOfScope returns the node of the tree shown that has a scope's time, or -1.
function nodeOfScope(lane, level, scope) {
  let at = current.roots[0] ?? -1;
  for (let l = 0; l <= level && at >= 0; l++) {
    const s = l === level ? scope : scopeAt(lane.rows[l], (scope.begin + scope.end) / 2);
    at = s ? kidsOf(current.nodes, at).find(i => current.nodes[i].zone === s.zone) ?? -1 : -1;
  }
  return at;
}
