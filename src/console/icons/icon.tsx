/** What all icons share: the frame of 24 by 24 and the stroke with which Tabler draws. */
import type { ReactNode, SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height, in CSS pixels. */
  readonly size?: number | string;
}

export type Icon = (props: IconProps) => ReactNode;

const stroked = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const filled = { fill: 'currentColor', stroke: 'none' } as const;

/** An icon of lines; each path is the `d` of SVG (SVG 2, section 9.3). */
export function outline(...paths: readonly string[]): Icon {
  return makeIcon(paths, stroked);
}

/** An icon of filled areas. */
export function solid(...paths: readonly string[]): Icon {
  return makeIcon(paths, filled);
}

function makeIcon(paths: readonly string[], look: SVGProps<SVGSVGElement>): Icon {
  const drawn = paths.map((path) => <path key={path} d={path} />);
  return ({ size = 24, ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: each use hides the icon or gives it a label.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      {...look}
      {...rest}
    >
      {drawn}
    </svg>
  );
}
