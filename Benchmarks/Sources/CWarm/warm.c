#include "CWarm.h"
#include <ebur128.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { RATE = 24000, SPANS = 120000 };

typedef struct {
    AVFormatContext *format;
    AVCodecContext *decoder, *encoder;
    SwrContext *resampler;
    ebur128_state *meter;
    AVPacket *in, *out;
    AVFrame *frame, *piece;
    float waiting[16384];
    int held;
    float peaks[SPANS];
    int64_t samples, bytes;
} work;

static int64_t cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int take_packets(work *w) {
    int said;
    while ((said = avcodec_receive_packet(w->encoder, w->out)) >= 0) {
        w->bytes += w->out->size;
        av_packet_unref(w->out);
    }
    return said == AVERROR(EAGAIN) || said == AVERROR_EOF ? 0 : said;
}

static int encode(work *w, int count) {
    av_frame_unref(w->piece);
    w->piece->nb_samples = count;
    w->piece->format = AV_SAMPLE_FMT_FLTP;
    w->piece->sample_rate = RATE;
    av_channel_layout_default(&w->piece->ch_layout, 1);
    if (av_frame_get_buffer(w->piece, 0) < 0) return -1;
    memcpy(w->piece->extended_data[0], w->waiting, (size_t)count * sizeof(float));
    w->held -= count;
    memmove(w->waiting, w->waiting + count, (size_t)w->held * sizeof(float));
    return avcodec_send_frame(w->encoder, w->piece) < 0 ? -1 : take_packets(w);
}

static int hear(work *w, const AVFrame *frame) {
    uint8_t *target = (uint8_t *)(w->waiting + w->held);
    int room = (int)(sizeof w->waiting / sizeof *w->waiting) - w->held;
    const uint8_t **planes = frame ? (const uint8_t **)frame->extended_data : NULL;
    int made = swr_convert(w->resampler, &target, room, planes, frame ? frame->nb_samples : 0);
    if (made < 0) return -1;
    float *sound = w->waiting + w->held;
    for (int i = 0; i < made; i++) {
        float *peak = &w->peaks[(w->samples + i) / 24 % SPANS];
        if (fabsf(sound[i]) > *peak) *peak = fabsf(sound[i]);
    }
    ebur128_add_frames_float(w->meter, sound, (size_t)made);
    w->samples += made;
    w->held += made;
    while (w->held >= w->encoder->frame_size)
        if (encode(w, w->encoder->frame_size) < 0) return -1;
    return 0;
}

static int start(work *w, const char *path) {
    if (avformat_open_input(&w->format, path, av_find_input_format("matroska"), NULL) < 0) return -1;
    AVCodecParameters *stream = w->format->streams[0]->codecpar;
    const AVCodec *opus = avcodec_find_decoder_by_name("opus"), *lame = avcodec_find_encoder_by_name("libmp3lame");
    w->decoder = avcodec_alloc_context3(opus);
    w->encoder = avcodec_alloc_context3(lame);
    avcodec_parameters_to_context(w->decoder, stream);
    w->encoder->sample_rate = RATE;
    w->encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
    w->encoder->bit_rate = 32000;
    w->encoder->time_base = (AVRational){1, RATE};
    w->decoder->thread_count = w->encoder->thread_count = 1;
    av_channel_layout_default(&w->encoder->ch_layout, 1);
    if (avcodec_open2(w->decoder, opus, NULL) < 0 || avcodec_open2(w->encoder, lame, NULL) < 0) return -1;
    AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
    if (swr_alloc_set_opts2(&w->resampler, &mono, AV_SAMPLE_FMT_FLTP, RATE, &w->decoder->ch_layout, AV_SAMPLE_FMT_FLTP,
                            48000, 0, NULL) < 0) return -1;
    w->meter = ebur128_init(1, RATE, EBUR128_MODE_I);
    w->in = av_packet_alloc();
    w->out = av_packet_alloc();
    w->frame = av_frame_alloc();
    w->piece = av_frame_alloc();
    return swr_init(w->resampler);
}

static int decode(work *w, const AVPacket *packet) {
    if (avcodec_send_packet(w->decoder, packet) < 0) return -1;
    while (avcodec_receive_frame(w->decoder, w->frame) >= 0)
        if (hear(w, w->frame) < 0) return -1;
    return 0;
}

static int run(work *w, const char *path) {
    if (start(w, path) < 0) return -1;
    while (av_read_frame(w->format, w->in) >= 0) {
        if (decode(w, w->in) < 0) return -1;
        av_packet_unref(w->in);
    }
    double loudness;
    if (decode(w, NULL) < 0 || hear(w, NULL) < 0 || (w->held && encode(w, w->held) < 0)) return -1;
    if (avcodec_send_frame(w->encoder, NULL) < 0 || take_packets(w) < 0) return -1;
    return ebur128_loudness_global(w->meter, &loudness) ? -1 : 0;
}

static void end(work *w) {
    avformat_close_input(&w->format);
    avcodec_free_context(&w->decoder);
    avcodec_free_context(&w->encoder);
    swr_free(&w->resampler);
    ebur128_destroy(&w->meter);
    av_packet_free(&w->in);
    av_packet_free(&w->out);
    av_frame_free(&w->frame);
    av_frame_free(&w->piece);
}

int64_t cwarm_note(const char *path) {
    static work w;
    memset(&w, 0, sizeof w);
    av_log_set_level(AV_LOG_QUIET);
    int64_t before = cpu();
    int failed = run(&w, path);
    int64_t spent = cpu() - before;
    int isWhole = w.samples > RATE && w.bytes > 1000;
    if (!failed) end(&w);
    return failed || !isWhole ? -1 : spent;
}
