/** What all icons share: the frame of 24 by 24 and the stroke with which Tabler draws. */
import { createElement, type ReactNode, type SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height, in CSS pixels. */
  readonly size?: number | string;
}

/** Whoever shows an icon hides it (`aria-hidden`) or gives it a label. */
export type Icon = (props: IconProps) => ReactNode;

const frame = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 24 24' };
const stroked: SVGProps<SVGSVGElement> = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
};
const filled: SVGProps<SVGSVGElement> = { fill: 'currentColor', stroke: 'none' };

/** An icon of lines; each path is the `d` of SVG (SVG 2, section 9.3). */
export function outline(...paths: readonly string[]): Icon {
  return makeIcon(paths, stroked);
}

/** An icon of filled areas. */
export function solid(...paths: readonly string[]): Icon {
  return makeIcon(paths, filled);
}

function makeIcon(paths: readonly string[], look: SVGProps<SVGSVGElement>): Icon {
  const drawn = paths.map((d) => createElement('path', { key: d, d }));
  return ({ size = 24, ...rest }) =>
    createElement('svg', { ...frame, ...look, width: size, height: size, ...rest }, drawn);
}
