import XmlBuilder from 'fast-xml-builder';

/** Control characters, halves of pairs and the two that are no characters: XML 1.0 has no way to write these. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const builder = new XmlBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false, // else a text `true` is an attribute without a value, which HTML has and XML has not
});

/** A text, or an element: its attributes with an `@` before their names, its text as `#`, and what is in it. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] };

const allowed = (xml: Xml | readonly Xml[]): unknown => {
  if (typeof xml === 'string') return xml.replace(forbidden, '\uFFFD');
  if (Array.isArray(xml)) return (xml as readonly Xml[]).map(allowed);
  return Object.fromEntries(Object.entries(xml).map(([name, part]) => [name, allowed(part as Xml)]));
};

export const writeXml = (elements: { readonly [name: string]: Xml }): string => builder.build(allowed(elements));
