/** Paints the harbour: a picture of what game.js gives it, which knows nothing of Loadout. */
import { disc, paintHarbour } from './harbour.js';
import { asDollars } from './market.js';

const gap = 14;
const cardHeight = 212;
/** Between the sea and the offers. */
const awningHeight = 64;
const dark = matchMedia('(prefers-color-scheme: dark)');
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

const day = {
  ...{ sky: ['#79c4ea', '#d8f0f7'], sea: ['#2f8fb3', '#12607f'], isle: '#6f9f86', far: '#9cc4bd' },
  ...{ rock: '#5c5a63', boards: '#8a5a35', board: '#79492a', card: '#fff7e4', edge: '#d8bd8a' },
  ...{ ink: '#33220f', quiet: '#6b5030', price: '#a8351a', onPrice: '#ffffff', mark: '#ffb703' },
  ...{ awning: ['#c8452c', '#fdf3df'], sign: '#4a2d17', onSign: '#ffefd0', pill: '#0f2d3dd9' },
};
const night = {
  ...{ sky: ['#0a1530', '#31406e'], sea: ['#163256', '#0a1a33'], isle: '#1f3550', far: '#2b4066' },
  ...{ rock: '#262a38', boards: '#3a2a22', board: '#2f211a', card: '#27324d', edge: '#4a5a82' },
  ...{ ink: '#fdf3dc', quiet: '#c5cbe0', price: '#ffc861', onPrice: '#231700', mark: '#ffc861' },
  ...{ awning: ['#7d2c2a', '#d9c9a8'], sign: '#20140d', onSign: '#ffe3ad', pill: '#050d1fd9' },
};

/** @param canvas HTMLCanvasElement */
export function createScene(canvas) {
  const pen = canvas.getContext('2d');
  let size = { width: 0, height: 0, sky: 0 };
  let places = [];

  return {
    /**
     * Makes room for so many offers in the width.
     * @returns their places: x, y, width and height in CSS pixels
     */
    layout(width, count) {
      const columns = width >= 960 ? 6 : width >= 560 ? 3 : 2;
      const rows = Math.max(1, Math.ceil(count / columns));
      const sky = width >= 560 ? 330 : 260;
      const top = sky + awningHeight + gap;
      const cardWidth = (width - gap * (columns + 1)) / columns;
      places = Array.from({ length: count }, (_, number) => ({
        x: gap + (number % columns) * (cardWidth + gap),
        y: top + Math.floor(number / columns) * (cardHeight + gap),
        ...{ width: cardWidth, height: cardHeight },
      }));
      size = { width, height: top + rows * (cardHeight + gap), sky };
      const scale = devicePixelRatio;
      const [wide, high] = [Math.round(width * scale), Math.round(size.height * scale)];
      // Another size empties the canvas, the same would too.
      if (canvas.width !== wide || canvas.height !== high) {
        Object.assign(canvas, { width: wide, height: high });
      }
      return places;
    },

    /** @param seconds time, for what moves */
    paint({ market, wallet, isWaiting, voyage }, seconds) {
      const look = dark.matches ? night : day;
      const time = isStill.matches ? 0 : seconds;
      pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      pen.clearRect(0, 0, size.width, size.height);
      const { isFestival } = market;
      paintHarbour(pen, size, { ...{ look, isNight: dark.matches, isFestival, voyage }, time });
      paintPurse(pen, size, look, market, wallet);
      paintStall(pen, size, look, market);
      for (const [number, offer] of market.offers.entries()) {
        if (places[number]) paintOffer(pen, places[number], look, offer, time);
      }
      if (isWaiting) paintRibbon(pen, size, look, 'New goods are waiting');
      if (market.offers.length > 0) return;
      pen.fillStyle = look.onSign;
      write(
        pen,
        'The ships have not come in yet.',
        size.width / 2,
        size.height - 100,
        size.width,
        18,
      );
    },
  };
}

function paintPurse(pen, { width }, look, { event, embersMax }, { coins, pearls, embers }) {
  const counts = [
    ['#ffd166', `${coins}`],
    ['#e8f1ff', `${pearls}`],
    ['#ff7b54', `${embers} / ${embersMax}`],
  ];
  let x = gap;
  for (const [color, text] of counts) {
    pen.font = '600 15px system-ui, sans-serif';
    const wide = pen.measureText(text).width + 44;
    panel(pen, { x, y: gap, width: wide, height: 32 }, 16, look.pill);
    disc(pen, x + 17, gap + 16, 8, color);
    pen.fillStyle = '#ffffff';
    pen.textAlign = 'left';
    pen.fillText(text, x + 31, gap + 21);
    x += wide + 8;
  }
  if (event === '') return;
  pen.font = '600 15px system-ui, sans-serif';
  const wide = Math.min(width - 2 * gap, pen.measureText(event).width + 32);
  const isBeside = x + wide + gap <= width;
  const place = { x: width - gap - wide, y: isBeside ? gap : gap + 40, width: wide, height: 32 };
  panel(pen, place, 16, '#ffc861');
  pen.fillStyle = '#231700';
  write(pen, event, place.x + wide / 2, place.y + 21, wide - 16, 15);
}

function paintStall(pen, { width, height, sky }, look, { title, banner }) {
  pen.fillStyle = look.boards;
  pen.fillRect(0, sky, width, height - sky);
  pen.fillStyle = look.board;
  for (let y = sky + 40; y < height; y += 40) pen.fillRect(0, y, width, 2);
  const count = 2 * Math.round(width / 88) + 1;
  const wide = width / count;
  for (let stripe = 0; stripe < count; stripe += 1) {
    pen.fillStyle = look.awning[stripe % 2];
    pen.beginPath();
    pen.rect(stripe * wide, sky - 24, wide + 1, 36);
    pen.arc((stripe + 0.5) * wide, sky + 12, wide / 2, 0, Math.PI);
    pen.fill();
  }
  const signWidth = Math.min(width - 2 * gap, 460);
  const sign = { x: (width - signWidth) / 2, y: sky - 10, width: signWidth, height: 66 };
  panel(pen, sign, 10, look.sign);
  pen.fillStyle = look.onSign;
  write(pen, title, width / 2, sky + 18, signWidth - 24, 22, '700', 'Georgia, serif');
  write(pen, banner, width / 2, sky + 42, signWidth - 24, 15);
}

function paintOffer(pen, place, look, offer, time) {
  const { x, y, width, height } = place;
  const middle = x + width / 2;
  pen.save();
  pen.shadowColor = '#00000059';
  pen.shadowBlur = 12;
  pen.shadowOffsetY = 4;
  panel(pen, place, 14, look.card);
  pen.restore();
  const isChanged = offer.was !== null;
  pen.lineWidth = isChanged ? 4 + Math.sin(time * 5) : 2;
  pen.strokeStyle = isChanged ? look.mark : look.edge;
  pen.stroke();
  paintGoods(pen, middle, y + 48, offer);
  pen.fillStyle = look.ink;
  write(pen, offer.name, middle, y + 104, width - 20, 16, '700', 'Georgia, serif');
  pen.fillStyle = look.quiet;
  for (const [number, line] of inTwoLines(offer.goods).entries()) {
    write(pen, line, middle, y + 126 + number * 17, width - 20, 13);
  }
  const tag = { x: middle - 52, y: y + height - 46, width: 104, height: 34 };
  panel(pen, tag, 17, look.price);
  pen.fillStyle = look.onPrice;
  write(pen, asDollars(offer.price), middle, tag.y + 23, 92, 17, '700');
  if (isChanged) paintFormerPrice(pen, middle, y + 20, look, asDollars(offer.was));
  if (offer.bonus !== '')
    paintBadge(pen, x + width - 30, y + 26, offer.bonus, '#c1121f', '#ffffff');
  if (offer.kind === 'featured')
    paintBadge(pen, x + width - 26, y + 26, '★', '#ffc861', '#231700', 20);
}

function paintFormerPrice(pen, x, y, look, text) {
  pen.fillStyle = look.quiet;
  write(pen, text, x, y, 90, 13);
  const half = pen.measureText(text).width / 2 + 2;
  pen.fillRect(x - half, y - 5, 2 * half, 1.5);
}

/** Pearls in a heap that grows with their number; a tied parcel for a bundle. */
function paintGoods(pen, x, y, { kind, pearls }) {
  if (kind !== 'pack') return paintParcel(pen, x, y);
  const rows = pearls >= 5000 ? 4 : pearls >= 1000 ? 3 : pearls >= 300 ? 2 : 1;
  for (let row = 0; row < rows; row += 1) {
    const count = rows - row + 1;
    for (let pearl = 0; pearl < count; pearl += 1) {
      paintPearl(pen, x + (pearl - (count - 1) / 2) * 18, y + 22 - row * 15);
    }
  }
}

function paintPearl(pen, x, y) {
  const shine = pen.createRadialGradient(x - 3, y - 4, 1, x, y, 10);
  shine.addColorStop(0, '#ffffff');
  shine.addColorStop(0.5, '#dfe9fb');
  shine.addColorStop(1, '#8fa5cf');
  disc(pen, x, y, 9.5, shine);
}

function paintParcel(pen, x, y) {
  panel(pen, { x: x - 32, y: y - 14, width: 64, height: 44 }, 6, '#b7733c');
  panel(pen, { x: x - 36, y: y - 20, width: 72, height: 16 }, 5, '#9a5c2c');
  pen.fillStyle = '#ffd166';
  pen.fillRect(x - 5, y - 20, 10, 50);
  for (const side of [-1, 1]) {
    pen.beginPath();
    pen.ellipse(x + side * 11, y - 26, 11, 6, side * 0.5, 0, 2 * Math.PI);
    pen.fill();
  }
}

function paintBadge(pen, x, y, text, color, ink, size = 12) {
  disc(pen, x, y, 20, color);
  pen.fillStyle = ink;
  write(pen, text, x, y + size / 3, 36, size, '700');
}

function paintRibbon(pen, { width, sky }, look, text) {
  const wide = Math.min(width - 2 * gap, 280);
  const place = { x: (width - wide) / 2, y: sky - 70, width: wide, height: 40 };
  panel(pen, place, 20, look.mark);
  pen.fillStyle = '#231700';
  write(pen, text, width / 2, place.y + 26, wide - 24, 17, '700');
}

/** A list, broken behind its middle. */
function inTwoLines(text) {
  const parts = text.split(', ');
  if (parts.length < 2) return [text];
  const half = Math.ceil(parts.length / 2);
  return [`${parts.slice(0, half).join(', ')},`, parts.slice(half).join(', ')];
}

/** Centred, and as small as it must be to fit. */
function write(pen, text, x, y, widthMax, size, weight = '500', family = 'system-ui, sans-serif') {
  pen.textAlign = 'center';
  pen.font = `${weight} ${size}px ${family}`;
  const wide = pen.measureText(text).width;
  if (wide > widthMax) pen.font = `${weight} ${Math.max(10, (size * widthMax) / wide)}px ${family}`;
  pen.fillText(text, x, y, widthMax);
}

function panel(pen, { x, y, width, height }, radius, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  pen.fill();
}
