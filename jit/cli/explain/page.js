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

// A link to a line of text opens the panel that has it.
function follow() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const panel = target && target.closest('[role=tabpanel]');
  if (!panel) return;
  choose(document.getElementById(panel.getAttribute('aria-labelledby')));
  target.scrollIntoView({ block: 'center' });
}
addEventListener('hashchange', follow);
follow();

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
