/**
 * Limits of providers on a message, in code points unless stated otherwise: the one table that the check of canvases, the API and the
 * adapters use. Limits of the specification take precedence (LIM-02 to LIM-05); the others are the providers' own.
 */
export const channelLimits = {
  whatsapp: {
    text: 4096,
    /** The text beside buttons. */
    body: 1024,
    caption: 1024,
    header: 60,
    footer: 60,
    buttons: 3,
    buttonTitle: 20,
    buttonId: 256,
    rowId: 200,
    /** The label of the button that opens a list. */
    listButton: 20,
    /** The label of the button that opens an address or calls. */
    linkButton: 20,
    /** The label of the button that opens a form. */
    formButton: 30,
    address: 2000,
    contacts: 257,
    templateHeader: 60,
    /** The most characters of a body with other components; one that is alone may have more. */
    templateBody: 1024,
    templateBodyAlone: 32_768,
  },
  facebook: {
    text: 2000,
    /** The text above buttons, title and caption included. */
    template: 640,
    buttons: 3,
    buttonTitle: 20,
    payload: 1000,
    address: 2000,
  },
  /** The text is counted in bytes. */
  instagram: { text: 1000, template: 640, buttons: 3, buttonTitle: 20, payload: 1000, address: 2000 },
  slack: {
    text: 3000,
    section: 3000,
    /** A text without blocks. */
    textAlone: 40_000,
    /** All texts of the blocks; Slack documents no number, and answers `msg_blocks_too_long` above about this. */
    allBlocks: 12_000,
    header: 150,
    buttonTitle: 75,
    buttonValue: 2000,
    optionValue: 150,
    listButton: 150,
    address: 3000,
    altText: 2000,
  },
  teams: {
    text: 4096,
    /** Title, text and caption in one. */
    joined: 28_000,
    linkButton: 500,
    heroButtons: 6,
    /** The whole activity, in UTF-16; about 100 KB go. */
    activityBytes: 80 * 1024,
  },
  twitter: { text: 10_000 },
  web: { text: 4096 },
  custom: { text: 4096 },
} as const;
