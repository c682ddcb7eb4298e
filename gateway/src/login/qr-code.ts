import { create } from 'qrcode';
import { trusted, type Html } from './html.ts';

/** Light modules around the code, which scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code as SVG: dark on light in either color scheme, since many scanners read nothing else. */
export function qrCode(text: string): Html {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const rows = Array.from({ length: modules.size }, (_, y) =>
    Array.from({ length: modules.size }, (_, x) =>
      modules.get(y, x) ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : '',
    ).join(''),
  );
  const size = modules.size + 2 * QUIET_ZONE;
  return trusted(
    `<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true" focusable="false">` +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${rows.join('')}"/></svg>`,
  );
}
