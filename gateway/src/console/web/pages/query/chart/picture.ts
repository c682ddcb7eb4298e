/** A chart as a file: the canvas as PNG, or the same lines written as SVG. */
import type uPlot from 'uplot';
import { fileName, save } from '../result/download.ts';
import { resolved } from './draw.ts';
import type { ChartData, Shape } from './series.ts';

const FONT = 'system-ui, sans-serif';
const LEGEND_PX = 24;

/** Over the page's background: a picture without one is unreadable on the other color. */
export function savePng({ ctx, root }: uPlot): void {
  const { canvas } = ctx;
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  if (context === null) return;
  context.fillStyle = resolved('--card', root);
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((content) => content !== null && save(content, fileName('png')));
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** By the document's own means, so that no text of a value becomes markup. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** `M1 2L3 4`: a new part after each missing value. */
function linePath(points: readonly (readonly [number, number] | null)[]): string {
  let isOpen = false;
  return points
    .map((point) => {
      const command = isOpen ? 'L' : 'M';
      isOpen = point !== null;
      return point === null ? '' : `${command}${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
    })
    .join('');
}

/** What uPlot has drawn along an axis: it keeps the values and the texts that it has chosen. */
interface DrawnAxis {
  readonly _splits?: readonly number[];
  readonly _values?: readonly (string | null)[];
}

function axes(
  plot: uPlot,
  area: { left: number; top: number; width: number; height: number },
): readonly SVGElement[] {
  const [text, line] = [resolved('--muted', plot.root), resolved('--line', plot.root)];
  const label = { fill: text, 'font-size': 12, 'font-family': FONT };
  return plot.axes.flatMap((axis, i) => {
    const { _splits: splits = [], _values: values = [] } = axis as DrawnAxis;
    return splits.flatMap((split, at) => {
      const said = values[at] ?? '';
      if (i === 0) {
        const x = area.left + plot.valToPos(split, 'x');
        return [
          element('text', { ...label, x, y: area.top + area.height + 18, 'text-anchor': 'middle' }, said),
        ];
      }
      const y = area.top + plot.valToPos(split, 'y');
      return [
        element('line', { x1: area.left, x2: area.left + area.width, y1: y, y2: y, stroke: line }),
        element('text', { ...label, x: area.left - 8, y: y + 4, 'text-anchor': 'end' }, said),
      ];
    });
  });
}

/** Of a series, as it was drawn. */
function colorOf(plot: uPlot, series: number): string {
  const stroke = plot.series[series + 1]?.stroke;
  const color: unknown = typeof stroke === 'function' ? stroke(plot, series + 1) : stroke;
  return typeof color === 'string' ? color : 'currentcolor';
}

function marks(plot: uPlot, data: ChartData, shape: Shape, left: number, top: number): readonly SVGElement[] {
  const count = data.series.length;
  return data.series.flatMap(({ values }, i) => {
    const color = colorOf(plot, i);
    const points = values.map((value, at): readonly [number, number] | null =>
      value === null ? null : [left + plot.valToPos(data.x[at] ?? 0, 'x'), top + plot.valToPos(value, 'y')],
    );
    if (shape === 'line')
      return [element('path', { d: linePath(points), fill: 'none', stroke: color, 'stroke-width': 2 })];
    const there = points.filter((point) => point !== null);
    if (shape === 'points')
      return there.map(([cx, cy]) => element('circle', { cx, cy, r: 2.5, fill: color }));
    const width = plot.valToPos(0.8 / count, 'x') - plot.valToPos(0, 'x') || 1;
    const zero = top + plot.valToPos(0, 'y');
    return there.map(([x, y]) =>
      element('rect', {
        x: x - (width * count) / 2 + width * i,
        y: Math.min(y, zero),
        width,
        height: Math.abs(zero - y),
        fill: color,
      }),
    );
  });
}

export function saveSvg(plot: uPlot, data: ChartData, shape: Shape): void {
  const area = {
    left: plot.bbox.left / devicePixelRatio,
    top: plot.bbox.top / devicePixelRatio,
    width: plot.bbox.width / devicePixelRatio,
    height: plot.bbox.height / devicePixelRatio,
  };
  const height = plot.height + LEGEND_PX;
  const svg = element('svg', {
    xmlns: NAMESPACE,
    width: plot.width,
    height,
    viewBox: `0 0 ${plot.width} ${height}`,
  });
  svg.append(
    element('rect', { width: '100%', height: '100%', fill: resolved('--card', plot.root) }),
    ...axes(plot, area),
    ...marks(plot, data, shape, area.left, area.top),
  );
  data.series.forEach(({ name }, i) => {
    const color = colorOf(plot, i);
    const x = area.left + (area.width / data.series.length) * i;
    svg.append(
      element('rect', { x, y: plot.height + 4, width: 10, height: 10, fill: color }),
      element(
        'text',
        {
          x: x + 15,
          y: plot.height + 13,
          fill: resolved('--text', plot.root),
          'font-size': 12,
          'font-family': FONT,
        },
        name,
      ),
    );
  });
  save(new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }), fileName('svg'));
}
