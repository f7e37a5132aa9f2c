/** Draws what was published into a chart: a line for each mark, with its number above. */
import type uPlot from 'uplot';
import { plotColor } from '../../parts/plot/use-plot.js';
import { groupMarks, type PublishMark } from './publish-marks.js';

/** In pixels of CSS. */
const apartMin = 30;
const flagHeight = 14;
const flagPadding = 4;
const font = 'system-ui, sans-serif';

export function drawMarks(plot: uPlot, marks: readonly PublishMark[]): void {
  const { ctx, bbox, scales } = plot;
  const { min, max } = scales['x'] ?? {};
  if (min == null || max == null) return;
  const scale = devicePixelRatio;
  const placed = marks
    .filter(({ at }) => at >= min && at <= max)
    .map(({ number, at }) => ({ number, x: plot.valToPos(at, 'x', true) }));
  ctx.save();
  ctx.strokeStyle = plotColor('--mantine-color-text');
  ctx.lineWidth = scale;
  ctx.setLineDash([3 * scale, 3 * scale]);
  for (const { x } of placed) {
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.font = `600 ${11 * scale}px ${font}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { x, label } of groupMarks(placed, apartMin * scale)) {
    const width = ctx.measureText(label).width + 2 * flagPadding * scale;
    // The flag of a mark at the right edge stands at the left of its line.
    const left = Math.min(x, bbox.left + bbox.width - width);
    const top = bbox.top - (flagHeight + 2) * scale;
    ctx.fillStyle = plotColor('--mantine-color-text');
    ctx.fillRect(left, top, width, flagHeight * scale);
    ctx.fillStyle = plotColor('--mantine-color-body');
    ctx.fillText(label, left + flagPadding * scale, top + (flagHeight / 2) * scale);
  }
  ctx.restore();
}
