'use strict';
(() => {
// Tables sort by a click on a heading. Cells sort by data-v or by their text; zones that wait stay last.
const sorted = new Map(); // by the id of a table: {column, down}

const valueOf = cell => {
  const text = cell ? cell.dataset.v ?? cell.textContent.replace(/\u2009/g, '') : '', number = parseFloat(text);
  return cell && !cell.classList.contains('name') ? (Number.isNaN(number) ? -Infinity : number) : text.toLowerCase();
};

function sort(table, column, down) {
  const body = table.tBodies[0], last = row => row.classList.contains('idle');
  const rows = [...body.rows].map(row => ({row, value: valueOf(row.cells[column]), last: last(row)}));
  rows.sort((a, b) => a.last - b.last || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (down ? -1 : 1));
  body.append(...rows.map(r => r.row));
  for (const head of table.tHead.rows[0].cells) head.removeAttribute('aria-sort');
  table.tHead.rows[0].cells[column].setAttribute('aria-sort', down ? 'descending' : 'ascending');
}

function choose(head) {
  const table = head.closest('table.sorts');
  if (!table || !head.textContent) return false;
  const column = head.cellIndex, before = sorted.get(table.id);
  const down = before && before.column === column ? !before.down : !head.classList.contains('name');
  sorted.set(table.id, {column, down});
  sort(table, column, down);
  return true;
}

// prepare makes the headings of tables work with the keyboard, and sorts tables that were sorted before.
function prepare() {
  for (const table of document.querySelectorAll('table.sorts')) {
    for (const head of table.tHead.rows[0].cells) if (head.textContent) head.tabIndex = 0;
    const was = sorted.get(table.id);
    if (was) sort(table, was.column, was.down);
  }
}

document.addEventListener('click', e => {
  const head = e.target.closest('th');
  if (head && choose(head)) e.preventDefault();
});
document.addEventListener('keydown', e => {
  if (e.target.tagName === 'TH' && (e.key === 'Enter' || e.key === ' ') && choose(e.target)) e.preventDefault();
});
prepare();

// A link to a frame opens it.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
  if (target) target.scrollIntoView();
}
addEventListener('hashchange', reveal);
reveal();
document.documentElement.dataset.ready = 'yes';

// A live page asks its program for itself, once a second. It rests while the mouse is over it, while a frame or a zone is
// chosen, and while another page hides it.
const live = document.getElementById('live');
if (!live) return;
const state = live.querySelector('b'), command = live.querySelector('code'), everyMs = 1000, mostMs = 8000;
const chosen = /[?&](frame|zone)=/.test(location.search);
let over = false, asking = false, failures = 0, later = 0;

// The command has the address under which the reader has opened the page. The program behind a proxy may not know it.
const outside = location.href.match(/^https?:[\w\/.:~%[\]-]+(?=\/debug\/iprof\/(\?|#|$))/);
if (outside && command.textContent) command.textContent = 'iprof view ' + outside[0];

const resting = () => over || document.hidden || chosen;
const tell = () => {
  state.className = failures > 0 ? 'lost' : resting() ? '' : 'on';
  state.textContent = failures > 0 ? 'not connected' : chosen ? 'paused: a frame or a zone is shown' :
    over ? 'paused: the mouse is over the page' : 'live';
};

// follow asks once, and then again a while later.
async function follow() {
  clearTimeout(later);
  if (asking) return;
  asking = true;
  try {
    if (!resting()) await renew();
    failures = 0;
  } catch {
    failures++;
  }
  asking = false;
  tell();
  if (!document.hidden) later = setTimeout(follow, Math.min(everyMs * 2 ** failures, mostMs));
}

// renew replaces the parts that have changed. What the reader has opened and sorted stays so.
async function renew() {
  const answer = await fetch(location.search || './', {cache: 'no-store', redirect: 'error'});
  if (!answer.ok) throw new Error(answer.statusText);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (resting()) return;
  const facts = document.getElementById('facts'), main = document.querySelector('main');
  facts.replaceWith(next.getElementById('facts'));
  const keyOf = e => e.dataset.k + ' ' + (e.parentElement.closest('[data-k], section')?.dataset.k ?? e.closest('section')?.id);
  const known = new Map([...main.querySelectorAll('details')].map(e => [keyOf(e), e.open]));
  const scrolled = new Map([...main.querySelectorAll('.scroll > table')].map(e => [e.id, e.parentElement.scrollTop]));
  const work = document.getElementById('onlywork')?.checked;
  main.replaceWith(next.querySelector('main'));
  for (const e of document.querySelectorAll('main details')) e.open = known.get(keyOf(e)) ?? e.open;
  if (work && document.getElementById('onlywork')) document.getElementById('onlywork').checked = true;
  prepare();
  for (const e of document.querySelectorAll('.scroll > table')) e.parentElement.scrollTop = scrolled.get(e.id) ?? 0;
}

document.documentElement.onpointerenter = e => { if (e.pointerType === 'mouse') { over = true; tell(); } };
document.documentElement.onpointerleave = () => { over = false; follow(); };
document.onvisibilitychange = follow;
later = setTimeout(follow, everyMs);
tell();
})();
