/** Paints what is behind the market: sky, islands, the lighthouse, the sea and the boat. */

const turn = 2 * Math.PI;

/**
 * @param size width of the canvas, and where the sky and the sea end, in CSS pixels
 * @param view colours (`look`), whether lanterns hang, how far a voyage is (0 to 1, or null), and the time in seconds
 */
export function paintHarbour(pen, { width, sky }, view) {
  const { look, isNight, isFestival, voyage, time } = view;
  const horizon = Math.round(sky * 0.58);
  pen.fillStyle = blend(pen, 0, horizon, look.sky);
  pen.fillRect(0, 0, width, horizon);
  if (isNight) paintStars(pen, width, horizon, time);
  disc(pen, width * 0.24, horizon * 0.5, 30, isNight ? '#f4ecd0' : '#fff3b8');
  paintIsle(pen, width * 0.32, horizon, width * 0.34, 46, look.far);
  paintIsle(pen, width * 0.08, horizon, width * 0.3, 70, look.isle);
  pen.fillStyle = blend(pen, horizon, sky, look.sea);
  pen.fillRect(0, horizon, width, sky - horizon);
  paintLighthouse(pen, width * 0.82, horizon + 14, look, isNight, time);
  paintWaves(pen, width, horizon, sky, time);
  paintBoat(pen, boatPlace(width, horizon, voyage, time), look);
  if (isFestival) paintLanterns(pen, width, time);
}

/** In the harbour, or on its way out and back. */
function boatPlace(width, horizon, voyage, time) {
  const away = voyage === null ? 0 : Math.sin(voyage * Math.PI);
  return {
    x: width * (0.4 + 0.24 * away),
    y: horizon + 62 - 46 * away + 2 * Math.sin(time * 1.6),
    scale: 1 - 0.6 * away,
    lean: 0.04 * Math.sin(time * 1.2) + 0.08 * away,
  };
}

function paintStars(pen, width, horizon, time) {
  for (let star = 1; star <= 60; star += 1) {
    // Spread by the golden ratio: even, and without a pattern.
    const x = ((star * 0.618034) % 1) * width;
    const y = ((star * 0.754878) % 1) * horizon;
    const glow = 0.5 + 0.4 * Math.sin(time + star);
    disc(pen, x, y, star % 7 === 0 ? 1.6 : 1, `rgb(255 255 255 / ${glow})`);
  }
}

function paintIsle(pen, left, horizon, width, height, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.moveTo(left, horizon);
  pen.bezierCurveTo(
    left + width * 0.2,
    horizon - height * 1.5,
    left + width * 0.4,
    horizon - height,
    left + width * 0.55,
    horizon - height * 0.5,
  );
  pen.bezierCurveTo(
    left + width * 0.7,
    horizon - height * 0.9,
    left + width * 0.85,
    horizon - height * 0.4,
    left + width,
    horizon,
  );
  pen.fill();
}

function paintLighthouse(pen, x, foot, look, isNight, time) {
  const top = foot - 132;
  if (isNight) paintBeam(pen, x, top + 10, time);
  paintIsle(pen, x - 84, foot + 18, 170, 44, look.rock);
  pen.fillStyle = '#fbf3e0';
  trapezoid(pen, x, top + 22, 11, foot, 19);
  pen.fillStyle = '#c8452c';
  trapezoid(pen, x, top + 48, 13, top + 72, 15);
  trapezoid(pen, x, top + 96, 17, top + 118, 18.5);
  pen.fillStyle = '#33404d';
  pen.fillRect(x - 15, top + 18, 30, 5);
  pen.fillStyle = isNight ? '#fff0a8' : '#ffd166';
  pen.fillRect(x - 9, top, 18, 18);
  pen.fillStyle = '#c8452c';
  pen.beginPath();
  pen.moveTo(x - 13, top);
  pen.lineTo(x, top - 16);
  pen.lineTo(x + 13, top);
  pen.fill();
}

function paintBeam(pen, x, y, time) {
  const angle = Math.PI + 0.5 * Math.sin(time * 0.5) - 0.06;
  const reach = 520;
  const light = pen.createRadialGradient(x, y, 4, x, y, reach);
  light.addColorStop(0, 'rgb(255 240 168 / 55%)');
  light.addColorStop(1, 'rgb(255 240 168 / 0%)');
  pen.fillStyle = light;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.arc(x, y, reach, angle - 0.09, angle + 0.09);
  pen.fill();
}

function paintWaves(pen, width, horizon, sky, time) {
  pen.strokeStyle = 'rgb(255 255 255 / 28%)';
  pen.lineWidth = 2;
  for (let row = 0; row < 5; row += 1) {
    const y = horizon + 14 + row * row * 6 + row * 8;
    if (y > sky) return;
    pen.beginPath();
    for (let x = -40; x <= width + 40; x += 8) {
      const rise = Math.sin(x / (22 + row * 8) + time * (0.9 + row * 0.15) + row * 2);
      if (rise > 0.1) pen.lineTo(x, y - rise * (2 + row));
      else pen.moveTo(x, y);
    }
    pen.stroke();
  }
}

function paintBoat(pen, { x, y, scale, lean }, look) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(lean);
  pen.scale(scale, scale);
  pen.fillStyle = look.sign;
  pen.fillRect(-2, -74, 4, 78);
  pen.fillStyle = '#fdf6e3';
  pen.beginPath();
  pen.moveTo(5, -72);
  pen.quadraticCurveTo(46, -40, 40, -8);
  pen.lineTo(5, -8);
  pen.fill();
  pen.fillStyle = '#e9a23b';
  pen.beginPath();
  pen.moveTo(-5, -62);
  pen.quadraticCurveTo(-32, -34, -34, -8);
  pen.lineTo(-5, -8);
  pen.fill();
  pen.fillStyle = '#8c3b22';
  pen.beginPath();
  pen.moveTo(-52, 0);
  pen.lineTo(56, 0);
  pen.quadraticCurveTo(44, 26, 26, 26);
  pen.lineTo(-30, 26);
  pen.quadraticCurveTo(-46, 22, -52, 0);
  pen.fill();
  pen.restore();
}

/** Paper lanterns on a line, while the festival is on. */
function paintLanterns(pen, width, time) {
  const colors = ['#ff7b54', '#ffc861', '#f15bb5', '#7bdff2'];
  const count = Math.max(6, Math.round(width / 74));
  const lineY = (place) => 84 + 40 * Math.sin(((place * 3) % 1) * Math.PI);
  pen.strokeStyle = 'rgb(60 40 30 / 70%)';
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let step = 0; step <= 90; step += 1) {
    pen.lineTo((step / 90) * width, lineY(step / 90));
  }
  pen.stroke();
  for (let number = 0; number < count; number += 1) {
    const place = (number + 0.5) / count;
    const x = place * width + 2 * Math.sin(time * 1.4 + number);
    const y = lineY(place) + 16;
    const color = colors[number % colors.length];
    disc(pen, x, y, 20, `${color}40`);
    pen.fillStyle = color;
    pen.beginPath();
    pen.ellipse(x, y, 9, 12, 0, 0, turn);
    pen.fill();
    pen.fillStyle = '#fff6d6';
    pen.beginPath();
    pen.ellipse(x, y + 1, 4, 7, 0, 0, turn);
    pen.fill();
  }
}

function trapezoid(pen, x, top, halfTop, foot, halfFoot) {
  pen.beginPath();
  pen.moveTo(x - halfTop, top);
  pen.lineTo(x + halfTop, top);
  pen.lineTo(x + halfFoot, foot);
  pen.lineTo(x - halfFoot, foot);
  pen.fill();
}

function blend(pen, from, to, [above, below]) {
  const shade = pen.createLinearGradient(0, from, 0, to);
  shade.addColorStop(0, above);
  shade.addColorStop(1, below);
  return shade;
}

export function disc(pen, x, y, radius, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(x, y, radius, 0, turn);
  pen.fill();
}
