import type { ElementName } from './xml-namespaces.ts';

/** An element of a feed with what is kept of it. */
export interface XmlNode extends ElementName {
  readonly attributes: ReadonlyMap<string, string>;
  /** Of the nearest `xml:base`; null where none is declared. */
  readonly base: string | null;
  readonly children: XmlNode[];
  /** Directly in it, decoded. */
  text: string;
  /** What stands between its tags, as it is spelled; null while it holds no element. */
  markup: string | null;
}

export const childrenOf = (node: XmlNode, space: string, local: string): XmlNode[] =>
  node.children.filter((child) => child.local === local && child.space === space);

export const childOf = (node: XmlNode, space: string, local: string): XmlNode | null =>
  node.children.find((child) => child.local === local && child.space === space) ?? null;

export const textOf = (node: XmlNode | null): string => node?.text.trim() ?? '';
