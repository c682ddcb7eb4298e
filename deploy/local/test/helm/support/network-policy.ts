/**
 * Whether network policies let a connection through, by Kubernetes' rules
 * (https://kubernetes.io/docs/concepts/services-networking/network-policies/): a pod that a policy selects may do only
 * what some policy allows; a connection needs both ends' consent.
 */
import { BlockList } from 'node:net';
import type { Manifest } from './render.ts';

type Labels = Readonly<Record<string, string>>;

/** A pod, or where `labels` is null an address outside of the cluster. */
export interface End {
  readonly address: string;
  readonly labels: Labels | null;
  readonly namespace: string;
  /** Numbers of the container's ports by name. */
  readonly ports: Readonly<Record<string, number>>;
}

export interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP';
}

interface Selector {
  readonly matchLabels?: Labels;
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly ports?: readonly { readonly port: number | string; readonly protocol?: string }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** @param namespace where the manifests are installed */
export function allows(manifests: readonly Manifest[], namespace: string, connection: Connection): boolean {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as Policy);
  const { from, to } = connection;
  const consents = (own: End, other: End, direction: 'Ingress' | 'Egress'): boolean => {
    const selecting = policies.filter(
      ({ podSelector, policyTypes }) =>
        own.labels !== null &&
        own.namespace === namespace &&
        policyTypes.includes(direction) &&
        selects(podSelector, own.labels),
    );
    const rules = selecting.flatMap(({ ingress = [], egress = [] }) =>
      direction === 'Ingress' ? ingress : egress,
    );
    return (
      selecting.length === 0 ||
      rules.some((rule) => {
        const peers = (direction === 'Ingress' ? rule.from : rule.to) ?? [];
        return (
          isOfPort(rule, connection) &&
          (peers.length === 0 || peers.some((peer) => isPeer(peer, other, namespace)))
        );
      })
    );
  };
  return consents(from, to, 'Egress') && consents(to, from, 'Ingress');
}

/** A port's name is that of the container which is called. */
function isOfPort({ ports = [] }: Rule, { to, port, protocol = 'TCP' }: Connection): boolean {
  const isThis = (one: number | string) => (typeof one === 'number' ? one : to.ports[one]) === port;
  return ports.length === 0 || ports.some((one) => isThis(one.port) && (one.protocol ?? 'TCP') === protocol);
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, end: End, namespace: string): boolean {
  if (ipBlock !== undefined) {
    const inside = (cidr: string) => {
      const list = new BlockList();
      const [network = '', bits = ''] = cidr.split('/');
      list.addSubnet(network, Number(bits));
      return list.check(end.address);
    };
    return end.labels === null && inside(ipBlock.cidr) && !(ipBlock.except ?? []).some(inside);
  }
  if (end.labels === null) return false;
  const isNamespace =
    namespaceSelector === undefined
      ? end.namespace === namespace
      : selects(namespaceSelector, { 'kubernetes.io/metadata.name': end.namespace });
  return isNamespace && (podSelector === undefined || selects(podSelector, end.labels));
}

const selects = ({ matchLabels = {} }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
