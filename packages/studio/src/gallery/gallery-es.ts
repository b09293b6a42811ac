// What the examples are called and are for, in Spanish; what their bots say stays as it was tested.
export const galleryEs: { readonly [exampleId: string]: { readonly name: string; readonly description: string } } = {
  'abandoned-cart': {
    name: 'Carrito abandonado',
    description: 'Solo plantillas, que se intentan otra vez cuando el canal falla, y ninguna de noche.',
  },
  appointment: {
    name: 'Cita con el dentista',
    description:
      'Reserva una hora, pregunta el día antes si el paciente viene y lo recuerda una hora antes, también con la ventana de 24 horas cerrada.',
  },
  booking: {
    name: 'Reserva',
    description:
      'Una fecha y una de las horas libres en la zona del usuario, un recordatorio un día antes, y cancelar en cualquier momento: en una pregunta o después de reservar.',
  },
  catalogue: {
    name: 'Un catálogo por páginas',
    description:
      'Los productos vienen de una API página por página, con plazos y reintentos; un carrito en variables, un pago y el recibo como archivo.',
  },
  'check-digits': {
    name: 'Un número con dígito de control',
    description:
      'Pide el número de un documento, una cuenta o una tarjeta, halla lo mal escrito por su dígito de control y lo pide otra vez: CPF, CNPJ, RUT, DNI, CURP, IBAN, tarjetas.',
  },
  clinic: {
    name: 'Citas en dos zonas horarias',
    description:
      'Una clínica en Lima con pacientes en cualquier lugar: se dicen las dos horas, los recordatorios van por plantilla, una palabra cambia o cancela cuando sea, y una persona atiende.',
  },
  complaint: {
    name: 'Queja',
    description: 'Toma una queja y etiqueta la conversación para quien las atiende; cuando se resuelve, se quita la etiqueta.',
  },
  'damage-report': {
    name: 'Aviso de daños',
    description: 'El cliente envía una foto del daño; pasa al sistema de reclamaciones, cuyo recibo vuelve como archivo.',
  },
  'lead-qualification': {
    name: 'Calificar un contacto',
    description: 'Botones, una suma como la gente la escribe, una imagen, una API con plazo y una persona que toma la conversación.',
  },
  'message-burst': {
    name: 'Ráfaga de mensajes',
    description: 'La gente escribe una idea en cinco mensajes. Este bot la deja terminar y responde una vez.',
  },
  'order-ready': {
    name: 'Pedido listo',
    description: 'El lienzo útil más pequeño: una tienda llama al webhook, se pregunta al usuario, y responde o no.',
  },
  'parcel-watch': {
    name: 'Aviso de paquete',
    description: 'Avisa al usuario cuando su paquete está en el mostrador: el sistema del mensajero lo dice con parcel-arrived.',
  },
  'pay-link': {
    name: 'Pagar con un enlace',
    description: 'Da la dirección a la que llama el proveedor de pagos, y sigue cuando lo hace.',
  },
  'pay-order': {
    name: 'Pagar un pedido',
    description:
      'Envía un enlace para pagar y sigue según termina el pago. Sin credencial es una prueba: alguien elige el final en una página del servicio.',
  },
  'pick-product': {
    name: 'Elegir un producto',
    description: 'Muestra los productos de una categoría con sus fotos y deja elegir uno por su número. Lo llaman otros flujos.',
  },
  'retry-loop': {
    name: 'Informe, cuando esté listo',
    description:
      'Pregunta una y otra vez a un servicio lento, pero no para siempre, si un informe está listo, y lo envía. Si algo falla, se dice al usuario.',
  },
  'spring-offer': {
    name: 'Oferta de primavera',
    description: 'Responde a quien escribe después de una campaña: guarda su ciudad, lo pone en un grupo y dice qué campaña lo trajo.',
  },
  'support-bot': {
    name: 'Bot de soporte',
    description:
      'La ayuda de una tienda de lámparas: estado del pedido, preguntas, horario, devoluciones, paso a una persona cuya respuesta llega por webhook, y una valoración al final.',
  },
  survey: {
    name: 'Encuesta a clientes',
    description:
      'Pide una nota y, según ella, qué mejorar o una recomendación. A quien respondió no se le pregunta otra vez en tres meses.',
  },
  'take-away': {
    name: 'Comida para llevar',
    description: 'Un pedido en dos preguntas, y la palabra “stop”, que lo termina en cualquier pregunta: su inicio interrumpe.',
  },
  'talk-to-us': {
    name: 'Hable con nosotros',
    description:
      'Pasa el usuario a una persona del equipo de soporte y sigue cuando su conversación termina. A quien ayudaron está desde entonces en un grupo de contactos.',
  },
};
