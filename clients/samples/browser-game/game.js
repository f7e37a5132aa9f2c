/**
 * The harbour market of Lumen Isles, a game whose shop comes from Loadout: how a game uses the TypeScript kit. market.js reads
 * the values, scene.js paints them.
 *
 * The rule of this game: prices never change between display and purchase, nor during a voyage. What the server sends waits
 * until the player is back at the market.
 */
import { createClient } from './loadout-client.js';
import { asDollars, readMarket } from './market.js';
import { createScene } from './scene.js';

/** Longer, and a player without a network would look at an empty harbour. */
const startWaitMs = 3_000;
const voyageMs = 4_000;
const voyageCoins = 120;

/** A game has its own accounts; with these, segments and A/B tests show. */
const players = [
  {
    ...{ user: 'alan', name: 'Alan: plays daily, UK' },
    attributes: { country: 'GB', platform: 'android', daysSinceInstall: 250, totalSpend: 12 },
  },
  {
    ...{ user: 'ada', name: 'Ada: new, Germany' },
    attributes: { country: 'DE', platform: 'ios', daysSinceInstall: 1, totalSpend: 0 },
  },
  {
    ...{ user: 'grace', name: 'Grace: spends a lot, USA' },
    attributes: { country: 'US', platform: 'ios', daysSinceInstall: 210, totalSpend: 340.5 },
  },
  {
    ...{ user: 'barbara', name: 'Barbara: just came, USA' },
    attributes: { country: 'US', platform: 'android', daysSinceInstall: 0, totalSpend: 0 },
  },
];

const at = (id) => document.getElementById(id);
const scene = createScene(at('scene'));
const settings = await (await fetch('settings.json')).json();
const client = createClient({
  url: settings.url,
  key: settings.key,
  user: players[0].user,
  attributes: players[0].attributes,
  appVersion: '2.1.0',
  // What this scene needs. Left out, the kit holds every content item.
  ids: ['shop', 'events', 'economy', 'localisation-en'],
});

let market = readMarket(client);
let wallet = market.startingBalance;
/** Whether a configuration waits for `activate`. */
let isWaiting = false;
/** When the boat left, or null: it is in the harbour. */
let sailedAtMs = null;
/** A purchase is being decided. */
let offered = null;

client.watch(({ type, sequence, code }) => {
  if (type === 'activated') showSequence(sequence);
  if (type === 'failed') say(`The server cannot be used (${code}). The market keeps what it has.`);
  if (type !== 'waiting') return;
  isWaiting = true;
  returnToMarket();
});

/** The place where values may change: nothing is being bought, and the boat is in. */
function returnToMarket() {
  const isBusy = offered !== null || sailedAtMs !== null;
  if (isWaiting && !isBusy) void takeInGoods();
  at('sign').textContent = isWaiting ? 'New goods have come in, and wait until you are done.' : '';
  show();
}

async function takeInGoods() {
  isWaiting = false;
  if (!(await client.activate())) return;
  openMarket(market);
  const changed = market.offers.filter(({ was }) => was !== null);
  const prices = changed.map(({ name, price }) => `${name} now costs ${asDollars(price)}.`);
  say(['The market has changed.', ...prices].join(' '));
}

/** @param before what the player saw, to mark what differs; null: another player's */
function openMarket(before) {
  market = readMarket(client, before);
  show();
  // The first frame with these values is there: they work, and the next start may begin with them.
  requestAnimationFrame(() => client.ready());
  // The player sees the prices of an A/B test.
  client.expose('shop');
}

function enter({ source, sequence, failure }) {
  openMarket(null);
  wallet = { ...market.startingBalance };
  show();
  say(source === 'default' ? `No configuration has come yet (${failure}).` : 'Welcome!');
  showSequence(sequence);
}

function showSequence(sequence) {
  at('facts').textContent =
    `Configuration ${sequence} of ${settings.environment}. Edit the content item “shop” there in the console: the market follows.`;
}

function offer(chosen) {
  offered = chosen;
  at('question').textContent = `${chosen.name} for ${asDollars(chosen.price)}?`;
  at('goods').textContent = chosen.goods;
  at('sign').textContent = '';
  at('counter').returnValue = '';
  at('counter').showModal();
}

at('counter').addEventListener('close', () => {
  const bought = at('counter').returnValue === 'buy' ? offered : null;
  offered = null;
  if (bought !== null) sell(bought);
  returnToMarket();
});

function sell({ name, pointer, price, pearls }) {
  // Offline, or behind a slow network, an offer may have ended since it came.
  if (client.get('shop', `${pointer}/price`, price).isPastChange) {
    return say(`${name} has just ended, and was not sold.`);
  }
  wallet.pearls += pearls;
  client.track('purchase', price);
  say(market.words('shop.bought', 'Bought.'));
}

at('sail').addEventListener('click', () => {
  wallet.embers -= market.voyageEmbers;
  sailedAtMs = performance.now();
  setTimeout(() => {
    sailedAtMs = null;
    wallet.coins += voyageCoins;
    say(`Back in the harbour with ${voyageCoins} coins.`);
    returnToMarket();
  }, voyageMs);
  returnToMarket();
});

for (const { user, name } of players) at('player').add(new Option(name, user));

at('player').addEventListener('change', async () => {
  const { user, attributes } = players.find((each) => each.user === at('player').value);
  isWaiting = false;
  client.setContext(attributes);
  const result = await client.setUser(user, startWaitMs);
  // The player may have chosen yet another one meanwhile.
  if (user === at('player').value) enter(result);
});

// The stream ends while nobody looks; on the return the kit asks at once.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) client.suspend();
  else client.resume();
});

function say(sentence) {
  at('news').textContent = sentence;
}

/** Brings buttons and text up to date. The canvas is a picture: everything in it is also there as text. */
function show() {
  const { width } = at('stage').getBoundingClientRect();
  const places = scene.layout(width, market.offers.length);
  const { coins, pearls, embers } = wallet;
  at('scene').ariaLabel =
    `${market.title}: ${market.banner}. ${market.event === '' ? '' : `${market.event} is on. `}` +
    `You have ${coins} coins, ${pearls} pearls and ${embers} of ${market.embersMax} embers.`;
  at('sail').textContent = `Sail out for ${market.voyageEmbers} embers`;
  at('sail').disabled = sailedAtMs !== null || embers < market.voyageEmbers;
  at('player').disabled = sailedAtMs !== null;
  const list = at('offers');
  while (list.children.length > market.offers.length) list.lastChild.remove();
  for (const [number, each] of market.offers.entries()) {
    list.children[number] ?? list.append(makeButton(number));
    const button = list.children[number].firstChild;
    const { x, y, width: wide, height } = places[number];
    Object.assign(button.style, { left: `${x}px`, top: `${y}px` });
    Object.assign(button.style, { width: `${wide}px`, height: `${height}px` });
    const was = each.was === null ? '' : `, before ${asDollars(each.was)}`;
    button.ariaLabel = `${each.name}, ${each.goods}: ${asDollars(each.price)}${was}`;
  }
}

function makeButton(number) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.addEventListener('click', () => offer(market.offers[number]));
  item.append(button);
  return item;
}

function paint(nowMs) {
  const voyage = sailedAtMs === null ? null : Math.min(1, (nowMs - sailedAtMs) / voyageMs);
  scene.paint({ market, wallet, isWaiting, voyage }, nowMs / 1000);
  requestAnimationFrame(paint);
}

new ResizeObserver(show).observe(at('stage'));
requestAnimationFrame(paint);
enter(await client.start(startWaitMs));
