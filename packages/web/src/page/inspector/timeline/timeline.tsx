import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDuration, formatOffset } from '../format.ts';
import type { Row } from '../rows/row.ts';
import type { Range } from '../rows/row-list.ts';
import { LANES, type Lane, mergeSpans, type Span, waitedMs } from '../rows/spans.ts';

export interface TimelineProps {
  readonly spans: readonly Span[];
  readonly startMs: number;
  readonly endMs: number;
  readonly range: Range | undefined;
  readonly marked: Row | undefined;
  readonly onRange: (range: Range | undefined) => void;
  readonly onSelect: (row: Row) => void;
  readonly onHover: (row: Row | undefined) => void;
}

const LABEL_PIXELS = 64;
const LANE_PIXELS = 18;
const AXIS_PIXELS = 16;
const HEIGHT = AXIS_PIXELS + LANE_PIXELS * LANES.length + 4;
/** A pointer that has moved less has clicked. */
const CLICK_PIXELS = 4;

const LABELS: Readonly<Record<Lane, string>> = { turn: 'agent', tool: 'tools', client: 'client', person: 'person' };

/** When what took how long. Time in which a person was waited for is drawn apart. Drag chooses a range, the wheel zooms. */
export function Timeline(props: TimelineProps): JSX.Element {
  const { spans, startMs, endMs, range, marked, onRange, onSelect, onHover } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  const [zoom, setZoom] = useState<Range>();
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const from = zoom?.fromMs ?? startMs;
  const to = Math.max(zoom?.toMs ?? endMs, from + 1);
  const plot = Math.max(100, width - LABEL_PIXELS - 8);
  const perPixel = (to - from) / plot;
  const x = (timeMs: number): number => LABEL_PIXELS + (timeMs - from) / perPixel;
  const timeAt = (pixel: number): number => from + Math.min(plot, Math.max(0, pixel - LABEL_PIXELS)) * perPixel;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const at = timeAt(event.clientX - element.getBoundingClientRect().left);
      const factor = event.deltaY > 0 ? 1.25 : 0.8;
      const next = { fromMs: at - (at - from) * factor, toMs: at + (to - at) * factor };
      const isWhole = next.fromMs <= startMs && next.toMs >= endMs;
      setZoom(isWhole ? undefined : { fromMs: Math.max(startMs, next.fromMs), toMs: Math.min(endMs, next.toMs) });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  const drawn = useMemo(() => LANES.map((lane) => mergeSpans(spans, lane, perPixel)), [spans, perPixel]);
  const pixelOf = (event: PointerEvent): number => event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const pixel = pixelOf(event);
    box.current?.setPointerCapture(event.pointerId);
    setDrag({ from: pixel, to: pixel });
  };
  const onPointerMove = (event: PointerEvent): void => {
    const pixel = pixelOf(event);
    if (drag) setDrag({ ...drag, to: pixel });
    else onHover(nearest(drawn, event, { timeAt, perPixel, to })?.row);
  };
  const onPointerUp = (event: PointerEvent): void => {
    if (!drag) return;
    setDrag(undefined);
    const ends = [drag.from, pixelOf(event)].sort((one, other) => one - other) as [number, number];
    if (ends[1] - ends[0] >= CLICK_PIXELS) return onRange({ fromMs: timeAt(ends[0]), toMs: timeAt(ends[1]) });
    const span = nearest(drawn, event, { timeAt, perPixel, to });
    if (span) onSelect(span.row);
    else if (range) onRange(undefined);
  };
  const chosen = drag
    ? { fromMs: timeAt(Math.min(drag.from, drag.to)), toMs: timeAt(Math.max(drag.from, drag.to)) }
    : range;
  const pointer = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerLeave: () => onHover(undefined),
    onDblClick: () => setZoom(undefined),
  };
  const says = describe(spans, endMs);
  return (
    <div ref={box} class="inspector-timeline" {...pointer}>
      <svg role="img" aria-label={says} width={width} height={HEIGHT}>
        <defs>
          <pattern
            id="inspector-hatch"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect class="inspector-hatch-ground" width="6" height="6" />
            <rect class="inspector-hatch-line" width="2.5" height="6" />
          </pattern>
        </defs>
        <Axis from={from} to={to} startMs={startMs} x={x} plot={plot} />
        {LANES.map((lane, index) => (
          <g key={lane}>
            <text class="inspector-lane" x={LABEL_PIXELS - 8} y={laneTop(index) + 12} text-anchor="end">
              {LABELS[lane]}
            </text>
            <rect
              class="inspector-lane-ground"
              x={LABEL_PIXELS}
              y={laneTop(index)}
              width={plot}
              height={LANE_PIXELS - 3}
            />
            {drawn[index]
              ?.filter(({ fromMs, toMs = to }) => toMs >= from && fromMs <= to)
              .map((span) => (
                <Bar
                  key={`${span.row.number}/${span.fromMs}`}
                  span={span}
                  top={laneTop(index)}
                  x={x}
                  from={from}
                  to={to}
                  isMarked={isOf(span, marked)}
                />
              ))}
          </g>
        ))}
        {marked && marked.timeMs >= from && marked.timeMs <= to && (
          <line class="inspector-cursor" x1={x(marked.timeMs)} x2={x(marked.timeMs)} y1={AXIS_PIXELS} y2={HEIGHT} />
        )}
        {chosen && (
          <rect
            class="inspector-range"
            x={x(Math.max(from, chosen.fromMs))}
            y={AXIS_PIXELS}
            width={Math.max(1, x(Math.min(to, chosen.toMs)) - x(Math.max(from, chosen.fromMs)))}
            height={HEIGHT - AXIS_PIXELS}
          />
        )}
      </svg>
    </div>
  );
}

interface BarProps {
  readonly span: Span;
  readonly top: number;
  readonly x: (timeMs: number) => number;
  readonly from: number;
  readonly to: number;
  readonly isMarked: boolean;
}

function Bar({ span, top, x, from, to, isMarked }: BarProps): JSX.Element {
  const left = x(Math.max(from, span.fromMs));
  const width = Math.max(2, x(Math.min(to, span.toMs ?? to)) - left);
  const classes = [`inspector-bar inspector-bar-${span.lane}`];
  if (span.isFailed) classes.push('inspector-bar-failed');
  if (isMarked) classes.push('inspector-bar-marked');
  const took = span.toMs === undefined ? 'not over' : formatDuration(span.toMs - span.fromMs);
  const label = `${span.label}, ${took}`;
  return (
    <g>
      <rect class={classes.join(' ')} x={left} y={top + 1} width={width} height={LANE_PIXELS - 5} rx="2">
        <title>{label}</title>
      </rect>
      {width > 90 && span.lane === 'person' && (
        <rect
          class="inspector-bar-plate"
          x={left + 8}
          y={top + 2}
          width={Math.min(width - 16, textWidth(label) + 8)}
          height={LANE_PIXELS - 7}
        />
      )}
      {width > 90 && (
        <text
          class={`inspector-bar-text inspector-bar-text-${span.lane}`}
          x={left + (span.lane === 'person' ? 12 : 5)}
          y={top + 11}
        >
          {cut(label, width - (span.lane === 'person' ? 24 : 10))}
        </text>
      )}
    </g>
  );
}

/** About: an SVG cuts no text by itself. */
const LETTER_PIXELS = 6.2;

function textWidth(text: string): number {
  return text.length * LETTER_PIXELS;
}

function cut(text: string, width: number): string {
  const letters = Math.floor(width / LETTER_PIXELS);
  return text.length > letters ? `${text.slice(0, Math.max(0, letters - 1))}…` : text;
}

/** Round times, none closer than the text needs. */
function Axis({
  from,
  to,
  startMs,
  x,
  plot,
}: {
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
  readonly x: (timeMs: number) => number;
  readonly plot: number;
}): JSX.Element {
  const rough = ((to - from) / plot) * 90;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power;
  const first = Math.ceil((from - startMs) / step) * step;
  const times = Array.from(
    { length: Math.max(0, Math.floor((to - startMs - first) / step) + 1) },
    (_, index) => first + index * step,
  );
  return (
    <g>
      {times.map((offset) => (
        <g key={offset}>
          <line
            class="inspector-tick"
            x1={x(startMs + offset)}
            x2={x(startMs + offset)}
            y1={AXIS_PIXELS - 3}
            y2={HEIGHT}
          />
          <text class="inspector-axis" x={x(startMs + offset) + 3} y={11}>
            {step >= 1000 ? `${offset / 1000} s` : `${formatOffset(offset)} s`}
          </text>
        </g>
      ))}
    </g>
  );
}

function laneTop(index: number): number {
  return AXIS_PIXELS + index * LANE_PIXELS + 2;
}

interface Scale {
  readonly timeAt: (pixel: number) => number;
  readonly perPixel: number;
  readonly to: number;
}

/** The span under the pointer, or a short one right beside it. */
function nearest(
  drawn: readonly (readonly Span[])[],
  event: PointerEvent,
  { timeAt, perPixel, to }: Scale,
): Span | undefined {
  const bounds = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const lane = Math.floor((event.clientY - bounds.top - AXIS_PIXELS - 2) / LANE_PIXELS);
  const time = timeAt(event.clientX - bounds.left);
  const slack = perPixel * 3;
  return drawn[lane]?.findLast(({ fromMs, toMs = to }) => time >= fromMs - slack && time <= toMs + slack);
}

function isOf(span: Span, row: Row | undefined): boolean {
  return row !== undefined && (span.row === row || span.row === row.pair);
}

function describe(spans: readonly Span[], endMs: number): string {
  const turns = spans.filter(({ lane }) => lane === 'turn').length;
  const agent = formatDuration(waitedMs(spans, 'turn', endMs));
  const person = formatDuration(waitedMs(spans, 'person', endMs));
  return `Timeline: ${turns} turns in ${agent}; a person was waited for ${person} of it`;
}
