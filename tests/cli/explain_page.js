// What explain_page.py asks of a page, in front of each of its scripts.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const open_ = (name) => { byId('tab-' + name).click(); byId('tab-' + name).focus(); };
const openPanels = () => all('[role=tabpanel]').filter((panel) => !panel.hidden).map((panel) => panel.id);
const facts = () => all('[data-json]').map((fact) => [fact.dataset.json, fact.textContent]);
const eachTab = (look) => all('[role=tab]').flatMap((tab) => { tab.click(); return look(tab.id.slice(4)); });
const tooWide = () => eachTab((name) => {
  const wide = document.documentElement.scrollWidth;
  return wide > innerWidth ? [name + ' ' + wide] : [];
});

// Light of a colour as the web's guidelines on contrast have it.
function light(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [dim, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}
function paperOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour !== 'rgba(0, 0, 0, 0)') return colour;
  }
  return 'rgb(255, 255, 255)';
}
// Where the filled shapes of a picture are: measured once, for a page has hundreds of words.
const measured = new WeakMap();
function shapesOf(svg) {
  if (!measured.has(svg)) {
    measured.set(svg, all('rect, polygon, path', svg)
      .map((shape) => ({ shape, box: shape.getBBox(), fill: getComputedStyle(shape).fill }))
      .filter(({ fill }) => fill !== 'none'));
  }
  return measured.get(svg);
}
// Words of a picture lie on the last shape drawn before them that holds their middle.
function shapeBelow(text) {
  const { x, y, width, height } = text.getBBox();
  const [middle, level] = [x + width / 2, y + height / 2];
  return shapesOf(text.ownerSVGElement).findLast(({ shape, box }) => box.x <= middle && middle <= box.x + box.width
    && box.y <= level && level <= box.y + box.height
    && shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING);
}
const hasWords = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
const tooFaint = () => eachTab(() => all('body *').filter((element) => {
  if (!hasWords(element) || element.closest('script, style, option, title') || !element.getClientRects().length) return false;
  const isDrawn = element.tagName === 'text';
  const style = getComputedStyle(element);
  const below = isDrawn ? shapeBelow(element) : null;
  const paper = below ? below.fill : paperOf(element);
  return contrast(isDrawn ? style.fill : style.color, paper) < 4.5;
}).map((element) => element.textContent.slice(0, 40)).slice(0, 3));

// Labels that meet, or stick out of their picture.
const onTop = () => eachTab((name) => all('svg', byId('panel-' + name)).filter((svg) => svg.getClientRects().length).flatMap((svg) => {
  const labels = all('text', svg).map((text) => ({ words: text.textContent, box: text.getBBox() }));
  const { width, height } = svg.viewBox.baseVal;
  const out = labels.filter(({ box }) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height);
  const meeting = labels.filter((one, i) => labels.slice(0, i).some(({ box }) => {
    const wide = Math.min(one.box.x + one.box.width, box.x + box.width) - Math.max(one.box.x, box.x);
    const high = Math.min(one.box.y + one.box.height, box.y + box.height) - Math.max(one.box.y, box.y);
    return wide > 1 && high > 3;
  }));
  return [...out, ...meeting].map(({ words }) => words).slice(0, 3);
}));

function isFocusSeen() {
  const style = getComputedStyle(document.activeElement);
  const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const isDrawn = document.activeElement.closest('svg') && parseFloat(style.strokeWidth) >= 3;
  return document.activeElement !== document.body && document.activeElement.getClientRects().length > 0 && Boolean(isOutlined || isDrawn);
}
const isInside = (name) => byId('panel-' + name).contains(document.activeElement);
const litCells = () => all('rect[data-cell].on').map((cell) => cell.dataset.cell);
function chooseRuns() {
  open_('pipes');
  const runs = byId('run');
  return all('option', runs).map(({ value }) => {
    runs.value = value;
    runs.dispatchEvent(new Event('change'));
    const shown = all('figure.run').filter((figure) => !figure.hidden);
    return { id: value, shown: shown.map((figure) => figure.id), reported: all('polygon.bad', shown[0]).length };
  });
}

const row = (verb) => document.querySelector(`tr[data-verb="${verb}"]`);
const linesOf = (link) => link.textContent.split('\n').filter((line) => line);
const instructions = () => all('.code a').flatMap((link) => linesOf(link).map((line) => {
  const [, verb, text] = line.match(/^0x\w+ {2}(\w+) +(.*)$/);
  return [text, verb === link.dataset.verb ? verb : '?'];
}));
const lit = () => ({
  verbs: all('tr.lit[data-verb]').map((verb) => verb.dataset.verb),
  lines: all('tr.lit[data-line]').map((line) => line.dataset.line).sort(),
  instructions: all('.code a.lit').flatMap(linesOf).length,
});
function focusedVerb() {
  const part = document.activeElement.closest('[data-verb]');
  return part && [part.dataset.verb, part.tagName === 'TR' ? 'row' : 'code'];
}
function middleOf(selector) {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: 'center' });
  const box = element.getClientRects()[0];
  return [box.x + Math.min(box.width / 2, 40), box.y + Math.min(box.height / 2, 8)];
}
