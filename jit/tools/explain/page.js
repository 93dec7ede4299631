'use strict';
document.documentElement.classList.add('script');

// Tabs: arrows, Home and End move between them, the panel follows.
const tabs = [...document.querySelectorAll('[role=tab]')];
function choose(tab) {
  for (const each of tabs) {
    const isChosen = each === tab;
    each.setAttribute('aria-selected', isChosen);
    each.tabIndex = isChosen ? 0 : -1;
    document.getElementById(each.getAttribute('aria-controls')).hidden = !isChosen;
  }
}
tabs.forEach((tab, at) => {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', (event) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
});
choose(tabs[0]);

// A link opens the panel that has what it leads to, and takes the focus there.
function follow() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const panel = target && target.closest('[role=tabpanel]');
  if (!panel) return;
  choose(document.getElementById(panel.getAttribute('aria-labelledby')));
  target.scrollIntoView({ block: 'center' });
  const stop = target.matches('a') ? target : target.querySelector('a');
  if (stop) stop.focus({ preventScroll: true });
}
addEventListener('hashchange', follow);
addEventListener('click', (event) => {
  const link = event.target.closest && event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) follow();
});

// Plan, verbs and machine code: what belongs to the one that is pointed at, or has the focus.
const code = document.getElementById('code');
if (code) {
  const parts = '[data-verb], [data-line]';
  const verbs = [...code.querySelectorAll('tr[data-verb]')];
  const linesOf = (verb) => verb.dataset.lines.split(' ');
  const mark = (part) => {
    const line = part && part.dataset.line;
    const lit = part ? verbs.filter((verb) => (line ? linesOf(verb).includes(line) : verb.dataset.verb === part.dataset.verb)) : [];
    const names = lit.map((verb) => verb.dataset.verb);
    const lines = line ? [line] : lit.flatMap(linesOf);
    code.querySelectorAll(parts).forEach((each) => each.classList.toggle(
      'lit', names.includes(each.dataset.verb) || lines.includes(each.dataset.line)));
  };
  // Boxes scroll to the first that is marked, save the one the focus is in.
  const reveal = (from) => code.querySelectorAll('.scroll').forEach((box) => {
    const first = !box.contains(from) && box.querySelector('.lit');
    if (first) box.scrollTop += first.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  });
  const focused = () => (code.contains(document.activeElement) ? document.activeElement.closest(parts) : null);
  code.addEventListener('mouseover', (event) => mark(event.target.closest(parts) || focused()));
  code.addEventListener('mouseleave', () => mark(focused()));
  code.addEventListener('focusin', (event) => {
    mark(event.target.closest(parts));
    reveal(event.target);
  });
  code.addEventListener('focusout', () => mark(null));
}
follow();

// What a shape of a picture is, in words below it: of the one that is pointed at, or has the focus.
document.querySelectorAll('.scroll svg').forEach((picture) => {
  const words = document.createElement('p');
  words.className = 'pointed soft';
  words.setAttribute('aria-live', 'polite');
  picture.closest('.scroll').after(words);
  const say = (event) => {
    const shape = event.target.closest('.picture > *');
    const title = shape && shape.querySelector('title');
    words.textContent = title ? title.textContent : '';
  };
  ['mouseover', 'focusin'].forEach((kind) => picture.addEventListener(kind, say));
});

// One run at a time.
const runs = document.getElementById('run');
if (runs) {
  const show = () => document.querySelectorAll('figure.run').forEach((figure) => {
    figure.hidden = figure.id !== runs.value;
  });
  runs.addEventListener('change', show);
  show();
}

// The move step by step.
const steps = [...document.querySelectorAll('#steps li')];
if (steps.length) {
  const picture = document.getElementById('move-picture');
  const words = document.getElementById('step-words');
  const play = document.getElementById('play');
  let at = -1;
  let timer = 0;
  const go = (to) => {
    at = Math.max(-1, Math.min(steps.length - 1, to));
    picture.classList.toggle('stepping', at >= 0);
    picture.querySelectorAll('.on').forEach((shape) => shape.classList.remove('on'));
    words.textContent = at < 0 ? 'All positions at once.' : steps[at].textContent;
    if (at < 0) return;
    const { p, to: cell } = steps[at].dataset;
    picture.querySelectorAll(`[data-p="${p}"],[data-cell="${cell}"]`).forEach((shape) => shape.classList.add('on'));
  };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = 'Play'; };
  const tick = () => (at + 1 < steps.length ? go(at + 1) : stop());
  play.addEventListener('click', () => {
    if (timer) return stop();
    if (at + 1 >= steps.length) go(-1);
    play.textContent = 'Pause';
    timer = setInterval(tick, 900);
  });
  document.getElementById('previous').addEventListener('click', () => { stop(); go(at - 1); });
  document.getElementById('next').addEventListener('click', () => { stop(); go(at + 1); });
  document.getElementById('all').addEventListener('click', () => { stop(); go(-1); });
  document.getElementById('panel-move').addEventListener('keydown', (event) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length - 1, Escape: -1 }[event.key];
    if (to === undefined || event.target.closest('.scroll')) return;
    event.preventDefault();
    stop();
    go(to);
  });
  go(-1);
}
