/**
 * Reads a place that is written: `-12.1211, -77.0297`, `geo:-12.1,-77.03`, and links of Google Maps, Apple Maps, Waze, OpenStreetMap and Bing that name
 * their coordinates. A short link says nothing by itself, and is none.
 */
import { clean } from './clean.ts';

/** A place on the map, as JSON. */
type Place = { readonly lat: number; readonly long: number };

/** Where links have coordinates, the likeliest first: the pin of a place, what is looked for, the middle of the map. */
const inLinks: readonly RegExp[] = [
  /!3d(-?\d{1,3}(?:\.\d{1,20})?)!4d(-?\d{1,3}(?:\.\d{1,20})?)/,
  /[?&](?:q|query|ll|daddr|destination|center|cp|sll|coordinate)=(?:loc:)?(-?\d{1,3}(?:\.\d{1,20})?)(?:,|%2C)(?:\+|%20| )?(-?\d{1,3}(?:\.\d{1,20})?)/,
  /[?&]mlat=(-?\d{1,3}(?:\.\d{1,20})?)&mlon=(-?\d{1,3}(?:\.\d{1,20})?)/,
  /\/(?:search|place)\/(?:[^/@?]{0,80}\/)?(-?\d{1,3}(?:\.\d{1,20})?)(?:,|%2C)(?:\+|%20| )?(-?\d{1,3}(?:\.\d{1,20})?)/,
  /\/@(-?\d{1,3}(?:\.\d{1,20})?)(?:,|%2C)(?:\+|%20| )?(-?\d{1,3}(?:\.\d{1,20})?)/,
  /^geo:(-?\d{1,3}(?:\.\d{1,20})?)(?:,|%2C)(?:\+|%20| )?(-?\d{1,3}(?:\.\d{1,20})?)/,
];

/** Links of maps are long. */
const longest = 2_000;

const link =
  /(?:https?:\/\/(?:www\.)?(?:[a-z]{1,20}\.)?(?:google\.[a-z.]{2,6}\/maps|maps\.google\.[a-z.]{2,6}|maps\.apple\.com|waze\.com|openstreetmap\.org|bing\.com\/maps)[^\s<>"]{0,1800}|geo:[^\s<>"]{1,100})/i;

/** Two numbers alone, each with three decimals and more: fewer are as likely a price or a version. */
const alone = /^[([]?(-?\d{1,2}\.\d{3,15})°? ?[,; ] ?(-?\d{1,3}\.\d{3,15})°?[)\]]?[.!]?$/;

/** The place that an answer names by its coordinates; none beyond the poles, and none where several links are in it. */
export function readPlace(answer: string): Place | undefined {
  const typed = alone.exec(clean(answer) ?? '');
  if (typed !== null) return placeOf(typed);
  const first = answer.length > longest ? null : link.exec(answer);
  if (first === null || link.test(answer.slice(first.index + first[0].length))) return undefined;
  const written = inLinks.map((pattern) => pattern.exec(first[0])).find((match) => match !== null);
  return written === undefined ? undefined : placeOf(written);
}

function placeOf([, lat, long]: RegExpExecArray): Place | undefined {
  const place = { lat: Number(lat) + 0, long: Number(long) + 0 };
  return Math.abs(place.lat) <= 90 && Math.abs(place.long) <= 180 ? place : undefined;
}
