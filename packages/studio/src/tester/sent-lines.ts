/** Lines of a script in which the user sends something that is no text, in the form in which channels deliver it. */

/** @param latitude - in degrees, from -90 to 90 @param longitude - in degrees, from -180 to 180 */
export const placeLine = (latitude: number, longitude: number, name: string): string =>
  line({ type: 'location', coordinates: { lat: latitude, long: longitude, ...(name !== '' && { name }) } });

/** @param url - where the picture is @param caption - what the user writes below it */
export const pictureLine = (url: string, caption: string): string =>
  line({ type: 'image', mediaUrl: url, ...(caption !== '' && { text: caption }) });

export const contactLine = (name: string, phone: string): string =>
  line({ type: 'contacts', contacts: [{ name: { formatted_name: name }, phones: [{ phone }] }] });

const line = (message: object): string => `user: ${JSON.stringify(message)}`;
