/** What a tenant's sessions hold together in this process: prepared statements and values of portals, or long messages. */
import type { Room } from '../wire/message-stream.ts';

/** By tenant. */
export type RoomOf = (tenantId: string) => Room;

export function createTenantRooms(bytesMax: number): RoomOf {
  const heldBy = new Map<string, number>();
  return (tenantId) => ({
    reserve(bytes) {
      const held = (heldBy.get(tenantId) ?? 0) + bytes;
      if (held > bytesMax) return false;
      heldBy.set(tenantId, held);
      return true;
    },
    release(bytes) {
      const held = (heldBy.get(tenantId) ?? 0) - bytes;
      if (held > 0) heldBy.set(tenantId, held);
      else heldBy.delete(tenantId);
    },
  });
}
