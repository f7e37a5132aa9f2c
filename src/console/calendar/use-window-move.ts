/** Moves a window with the pointer or the arrow keys: how far, until it is dropped or confirmed. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { msPerDay } from '../parts/time/wall-time.js';
import { draggedMs, type Scale, stepMs } from './time-scale.js';

/** A shorter movement of the pointer is a click. */
const clickPixels = 4;

export interface WindowMove {
  /** By how much it is moved now. */
  readonly deltaMs: number;
  /** Drops or confirms it where it is. */
  readonly finish: () => void;
  readonly cancel: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Of each bar; its parent is as wide as the range. */
  readonly ofBar: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

/** @param onDone receives milliseconds; 0: it was not moved */
export function useWindowMove(scale: Scale, onDone: (deltaMs: number) => void): WindowMove {
  const [deltaMs, setDelta] = useState(0);
  const drag = useRef<{ readonly startX: number; readonly width: number } | null>(null);
  const finish = (): void => {
    setDelta(0);
    onDone(deltaMs);
  };
  const cancel = (): void => {
    drag.current = null;
    setDelta(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (direction !== undefined) {
      const step = event.shiftKey ? 7 * msPerDay : stepMs[scale.zoom];
      setDelta(deltaMs + direction * step);
    } else if (event.key === 'Escape' && deltaMs !== 0) setDelta(0);
    else return;
    event.preventDefault();
  };
  const ofBar: WindowMove['ofBar'] = {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const width = event.currentTarget.parentElement?.clientWidth ?? 1;
      drag.current = { startX: event.clientX, width };
    },
    onPointerMove: (event) => {
      if (drag.current === null) return;
      const pixels = event.clientX - drag.current.startX;
      const isClick = Math.abs(pixels) < clickPixels;
      setDelta(isClick ? 0 : draggedMs(scale, pixels, drag.current.width));
    },
    onPointerUp: () => {
      if (drag.current === null) return;
      drag.current = null;
      finish();
    },
    onPointerCancel: cancel,
  };
  return { deltaMs, finish, cancel, onKeyDown, ofBar };
}
